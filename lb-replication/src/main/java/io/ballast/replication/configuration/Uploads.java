package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.core.Checks;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compressed configurations that are being sent to this node. Thread-safe.
 *
 * <p>Bound: {@value #MAX_UPLOADS} uploads, each as large as a version may be. A further upload replaces the oldest.
 */
final class Uploads {

    static final int MAX_UPLOADS = 2;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

    private final Map<String, ByteArrayOutputStream> open = new LinkedHashMap<>();

    /**
     * @throws IllegalArgumentException as described in {@link io.ballast.dashboard.source.SharedConfiguration#upload}
     */
    synchronized void add(String id, int offset, byte[] part) {
        Checks.that(ID.matcher(id).matches(), "upload", id, "a SHA-256 with 64 hexadecimal digits");
        if (offset == 0) {
            open.remove(id);
            open.put(id, new ByteArrayOutputStream());
            while (open.size() > MAX_UPLOADS) {
                open.remove(open.keySet().iterator().next());
            }
        }
        ByteArrayOutputStream bytes = open.get(id);
        int received = bytes == null ? 0 : bytes.size();
        Checks.that(bytes != null && received == offset, "offset", offset, received + ", or 0 to begin anew");
        if (bytes != null) {
            Checks.that(
                    received + part.length <= ConfigurationBundle.MAX_COMPRESSED_BYTES,
                    "upload",
                    received + part.length + " bytes",
                    "at most " + ConfigurationBundle.MAX_COMPRESSED_BYTES);
            bytes.writeBytes(part);
        }
    }

    /**
     * Removes a complete upload, and returns it.
     *
     * @throws IllegalArgumentException if there is none, or it is not complete
     */
    synchronized byte[] take(String id) {
        ByteArrayOutputStream bytes = open.remove(id);
        if (bytes == null) {
            throw new IllegalArgumentException(
                    "upload: " + id + " (expected: a configuration that was sent to this node shortly before)");
        }
        byte[] complete = bytes.toByteArray();
        String sha256 = ConfigurationBundle.sha256(complete);
        Checks.that(sha256.equals(id), "upload", id, sha256 + ", the hash of the bytes that arrived");
        return complete;
    }
}

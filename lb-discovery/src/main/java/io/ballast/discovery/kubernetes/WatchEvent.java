package io.ballast.discovery.kubernetes;

import io.ballast.discovery.remote.JsonWalk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An event of a watch, which is one line of the response.
 *
 * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, {@code BOOKMARK} or {@code ERROR}
 * @param slice the endpoint slice to which the event applies
 * @param version version from which a watch can continue
 * @param code HTTP status of an error
 * @param message the message of an error
 */
record WatchEvent(String type, Slice slice, String version, int code, String message) {

    private static final int GONE = 410;

    /** @throws IOException if the line is not an event */
    static WatchEvent read(byte[] line) throws IOException {
        String[] type = {""};
        @Nullable SliceReader[] object = new SliceReader[1];
        try (JsonWalk json = JsonWalk.of(line)) {
            json.object(field -> {
                switch (field) {
                    case "type" -> type[0] = json.text();
                    case "object" -> object[0] = new SliceReader(json);
                    default -> {}
                }
            });
        }
        SliceReader read = object[0];
        if (read == null) {
            throw new IOException("not a watch event: it has no object");
        }
        return new WatchEvent(type[0], read.slice(), read.version(), read.code(), read.message());
    }

    /** Returns whether a watch cannot continue from its version, because the version has expired. */
    boolean isExpired() {
        return type.equals("ERROR") && code == GONE;
    }
}

package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The facts with the compressed content of versions: parts in Base64, named by the hash of the whole. Stateless. */
final class DataFacts {

    static final String PREFIX = ConfigurationFacts.PREFIX + "data/";

    /** The bytes of a part; Base64 makes it a third longer, which must fit in a fact. */
    private static final int PART_BYTES = 24_000;

    static final int MAX_CHUNKS = ConfigurationBundle.MAX_COMPRESSED_BYTES / PART_BYTES + 1;

    private DataFacts() {}

    static String key(String hash, int index) {
        return PREFIX + hash + "/" + index;
    }

    /** Returns the hash in the key of a part. */
    static String hash(String key) {
        String rest = key.substring(PREFIX.length());
        int slash = rest.indexOf('/');
        return slash < 0 ? rest : rest.substring(0, slash);
    }

    /** Returns the values of the facts, at least one. */
    static List<String> split(byte[] compressed) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        do {
            int end = Math.min(compressed.length, start + PART_BYTES);
            parts.add(Base64.getEncoder().encodeToString(Arrays.copyOfRange(compressed, start, end)));
            start = end;
        } while (start < compressed.length);
        return parts;
    }

    /**
     * Returns the content of a version.
     *
     * @param find returns the value of a fact
     * @throws IllegalArgumentException if a part is missing, or the content is not that of the version
     */
    static ConfigurationBundle read(VersionFact version, Function<String, Optional<String>> find) {
        ConfigurationBundle bundle = ConfigurationBundle.decompress(readCompressed(version, find));
        if (!bundle.sha256().equals(version.version().sha256())) {
            throw new IllegalArgumentException(
                    "the content of version " + version.version().number() + " does not match the hash in its fact");
        }
        return bundle;
    }

    /**
     * Returns the compressed content of a version.
     *
     * @throws IllegalArgumentException if a part is missing
     */
    static byte[] readCompressed(VersionFact version, Function<String, Optional<String>> find) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < version.chunks(); i++) {
            String part = find.apply(key(version.data(), i))
                    .orElseThrow(() -> new IllegalArgumentException("a part of the content of version "
                            + version.version().number() + " is missing"));
            bytes.writeBytes(Base64.getDecoder().decode(part));
        }
        return bytes.toByteArray();
    }
}

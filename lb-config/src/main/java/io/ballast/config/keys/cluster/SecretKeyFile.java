package io.ballast.config.keys.cluster;

import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.config.key.Key;
import io.ballast.config.key.Values;
import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the file that {@code secret_key_file} names. */
final class SecretKeyFile {

    private static final int MAX_BYTES = 1024;

    private SecretKeyFile() {}

    /** Returns the key; empty after reporting a problem. */
    static Optional<ClusterSecretKey> read(Values values, Key<Path> key) {
        Path file = values.get(key);
        values.reading().registerFile(file);
        try (InputStream in = RegularFile.open(file)) {
            String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
            return Optional.of(new ClusterSecretKey(text));
        } catch (IOException e) {
            values.reading().error(values.node(key), file + " cannot be read: " + ErrorText.reason(e));
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(key), file + ": " + ErrorText.of(e));
        }
        return Optional.empty();
    }
}

package io.ballast.config.keys.common;

import io.ballast.config.key.Key;
import io.ballast.config.key.Values;
import io.ballast.core.ErrorText;
import io.ballast.net.fetch.CaFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the files that the keys {@code ca_file} name. */
public final class CaFiles {

    private CaFiles() {}

    /**
     * Returns the certificate authorities in the file that {@code key} names; empty if the key is not set, or after
     * reporting a problem.
     */
    public static Optional<CaFile> read(Values values, Key<Path> key) {
        Path file = values.find(key).orElse(null);
        if (file == null) {
            return Optional.empty();
        }
        return TextFile.read(file, CaFile.MAX_BYTES, values.node(key), values.reading())
                .flatMap(text -> parse(file, text, values, key));
    }

    private static Optional<CaFile> parse(Path file, String text, Values values, Key<Path> key) {
        try {
            return Optional.of(CaFile.parse(file, text));
        } catch (IOException e) {
            values.reading().error(values.node(key), ErrorText.of(e));
            return Optional.empty();
        }
    }
}

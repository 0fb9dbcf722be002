package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.TextFile;
import io.ballast.core.ErrorText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Reads a file with one entry per line: a name, a colon and a hash, as in the files of htpasswd. Empty lines and lines
 * that start with # are skipped. Each problem names the file and the line, and shows no hash.
 *
 * @param key the key whose value is the file
 * @param entry creates an entry from its name and hash; throws {@link IllegalArgumentException} if they are invalid
 * @param identity returns the value that must be unique among the entries of the file
 * @param label the word for the identity in messages
 */
record CredentialFile<T>(
        Key<Path> key, BiFunction<String, String, T> entry, Function<T, Object> identity, String label) {

    private static final int MAX_BYTES = 1 << 20;

    /** Returns the valid entries of the configured file; none if the key is not set. */
    List<T> read(Values values) {
        Path file = values.find(key).orElse(null);
        if (file == null) {
            return List.of();
        }
        return TextFile.read(file, MAX_BYTES, values.node(key), values.reading())
                .map(text -> entries(text.split("\n", -1), file, values))
                .orElse(List.of());
    }

    private List<T> entries(String[] lines, Path file, Values values) {
        List<T> entries = new ArrayList<>();
        Map<Object, Integer> seen = new HashMap<>();
        boolean isEmpty = true;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            isEmpty = false;
            try {
                T added = entry(line);
                Integer first = seen.putIfAbsent(identity.apply(added), i + 1);
                if (first != null) {
                    throw new IllegalArgumentException("duplicate " + label + " (first in line " + first + ")");
                }
                entries.add(added);
            } catch (IllegalArgumentException e) {
                error(values, file + ":" + (i + 1) + ": " + ErrorText.of(e));
            }
        }
        if (isEmpty) {
            error(values, file + " has no entries (expected: lines such as NAME:HASH)");
        }
        return entries;
    }

    private T entry(String line) {
        int colon = line.indexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("no name and hash (expected: NAME:HASH)");
        }
        return entry.apply(line.substring(0, colon), line.substring(colon + 1));
    }

    private void error(Values values, String message) {
        values.reading().error(values.node(key), message);
    }
}

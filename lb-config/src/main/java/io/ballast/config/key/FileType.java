package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The absolute path of a file. A relative path is resolved against the configuration file that contains it.
 * The file is not opened.
 */
public record FileType() implements Type<Path> {

    private static final String EXPECTED = "a path";

    @Override
    public Optional<Path> read(Node node, ReadContext reading) {
        if (node instanceof Node.Scalar scalar && !scalar.isNull()) {
            return reading.attempt(node, () -> resolve(node.place().file(), scalar.text()));
        }
        reading.mismatch(node, EXPECTED);
        return Optional.empty();
    }

    private static Path resolve(String namedIn, String text) {
        Checks.that(!text.isEmpty(), "path", text, EXPECTED);
        try {
            return Path.of(namedIn).resolveSibling(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("path: " + text + " (expected: " + EXPECTED + ")", e);
        }
    }

    @Override
    public Object print(Path value) {
        return value.toString();
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "string");
    }

    @Override
    public String label() {
        return "file";
    }
}

package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The absolute path of a file. A relative path is resolved against the configuration file that contains it; in a
 * version of a cluster, see {@link FileLocations}. The file is not opened.
 *
 * @param isContent whether the file belongs to the configuration, so that a version of a cluster contains it; false for
 *     secrets, certificates and files that this process writes
 */
public record FileType(boolean isContent) implements Type<Path> {

    private static final String EXPECTED = "a path";

    /** A file that stays on each node; versions of a cluster do not contain it. */
    public FileType() {
        this(/* isContent= */ false);
    }

    /** A file that belongs to the configuration. */
    public static FileType ofContent() {
        return new FileType(/* isContent= */ true);
    }

    @Override
    public Optional<Path> read(Node node, ReadContext reading) {
        if (node instanceof Node.Scalar scalar && !scalar.isNull()) {
            Optional<Path> path = reading.attempt(
                    node, () -> resolve(Path.of(node.place().file()), scalar.text(), reading.locations()));
            if (isContent && !scalar.text().startsWith("/")) {
                path.ifPresent(file -> reading.registerContent(file, node));
            }
            return path;
        }
        reading.mismatch(node, EXPECTED);
        return Optional.empty();
    }

    private static Path resolve(Path namedIn, String text, FileLocations locations) {
        Checks.that(!text.isEmpty(), "path", text, EXPECTED);
        try {
            Path resolved = namedIn.resolveSibling(text).toAbsolutePath().normalize();
            return Path.of(text).isAbsolute() ? resolved : locations.locate(namedIn, resolved);
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

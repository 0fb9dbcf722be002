package io.ballast.config.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The configuration files that tests read, and a loader for them. */
final class ConfigFiles {

    /** The root of the source tree; tests run in their module's directory. */
    static final Path ROOT = Path.of("..");

    static final Path EXAMPLES = ROOT.resolve("config");
    static final Path GOLDEN = Path.of("src/test/resources/config");

    private static final Map<String, String> ENVIRONMENT = Map.of("PORT", "8000", "EMPTY", "", "WORD", "value");

    private ConfigFiles() {}

    /** Returns a loader with values for three environment variables. */
    static ConfigLoader loader() {
        return new ConfigLoader(ENVIRONMENT::get);
    }

    /** Returns every configuration that is shipped as an example. */
    static List<Path> examples() {
        return in(EXAMPLES);
    }

    /** Returns all configuration files under a directory, except files that only serve as includes. */
    static List<Path> in(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.toString().contains("included"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text of a file. */
    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

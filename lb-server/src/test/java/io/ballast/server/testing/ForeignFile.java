package io.ballast.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A configuration of HAProxy or nginx in {@code src/test/resources/import/corpus}. Each is our own text and uses what
 * well-known public files use. Comments of the form {@code # key: value} say how it is tested:
 *
 * <ul>
 *   <li>hosts, paths: what is requested
 *   <li>tls: the port on which requests are made by TLS; raw: ports of listeners of connections
 *   <li>traffic: why no requests are made
 *   <li>differs: headers that backends get in another form on purpose
 * </ul>
 */
public record ForeignFile(Path path) {

    private static final Path CORPUS = Path.of("src/test/resources/import/corpus");

    /** All of them, in the order of their names. */
    public static List<ForeignFile> all() {
        try (Stream<Path> files = Files.walk(CORPUS)) {
            return files.filter(file -> file.toString().matches(".*[.](conf|cfg)"))
                    .sorted()
                    .map(ForeignFile::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whose file it is: {@code nginx} or {@code haproxy}. */
    public String balancer() {
        return path.getName(path.getNameCount() - 2).toString();
    }

    public String text() {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text of a comment. */
    public Optional<String> says(String key) {
        String start = "# " + key + ": ";
        return text().lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst();
    }

    /** The words of a comment; none if it is not there. */
    public List<String> words(String key) {
        return says(key).map(words -> List.of(words.split(" ", -1))).orElse(List.of());
    }

    @Override
    public String toString() {
        return balancer() + "/" + path.getFileName();
    }
}

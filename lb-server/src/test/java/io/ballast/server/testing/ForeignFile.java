package io.ballast.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A configuration of HAProxy or nginx in {@code src/test/resources/import/corpus}. Each file is our own text, with the
 * directives that well-known public files use. Comments of the form {@code # key: value} say how the file is tested:
 *
 * <ul>
 *   <li>hosts, paths: the requested hosts and paths
 *   <li>tls: the port for requests over TLS; raw: the ports of TCP listeners
 *   <li>traffic: why no requests are made
 *   <li>differs: headers that backends get in another form on purpose
 * </ul>
 */
public record ForeignFile(Path path) {

    private static final Path CORPUS = Path.of("src/test/resources/import/corpus");

    /** Returns all files, sorted by name. */
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

    /** The balancer that the file is written for: {@code nginx} or {@code haproxy}. */
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

    /** Returns the text of the comment with this key. */
    public Optional<String> comment(String key) {
        String start = "# " + key + ": ";
        return text().lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst();
    }

    /** The words of the comment with this key; none if there is no such comment. */
    public List<String> words(String key) {
        return comment(key).map(words -> List.of(words.split(" ", -1))).orElse(List.of());
    }

    @Override
    public String toString() {
        return balancer() + "/" + path.getFileName();
    }
}

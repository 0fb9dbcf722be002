package io.ballast.config.load;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the files that match an {@code include} pattern. */
final class FilePattern {

    private static final Pattern SLASHES = Pattern.compile("/+");
    private static final Pattern WILDCARD = Pattern.compile("[*?]");

    private static final Pattern OTHER_SIGNS = Pattern.compile("[\\[\\]{}\\\\]");

    private FilePattern() {}

    /**
     * Returns the files that match a pattern, sorted by name. The pattern is relative to the file that includes
     * it. A pattern without wildcards names one file, whether or not it exists.
     */
    static List<Path> findFiles(Path including, String pattern) {
        List<Path> found = List.of(pattern.startsWith("/") ? Path.of("/") : including.resolveSibling(""));
        for (String segment : SLASHES.split(pattern)) {
            List<Path> next = new ArrayList<>();
            found.forEach(directory -> next.addAll(findInDirectory(directory, segment)));
            found = next;
        }
        return found;
    }

    private static List<Path> findInDirectory(Path directory, String segment) {
        if (!WILDCARD.matcher(segment).find()) {
            return List.of(directory.resolve(segment));
        }
        List<Path> matches = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(orCurrentDirectory(directory), glob(segment))) {
            stream.forEach(match -> matches.add(directory.resolve(match.getFileName())));
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        Collections.sort(matches);
        return matches;
    }

    /**
     * Converts a pattern to a glob; of a glob's special characters, only {@code *} and {@code ?} are supported.
     */
    private static String glob(String segment) {
        return OTHER_SIGNS.matcher(segment).replaceAll("\\\\$0");
    }

    private static Path orCurrentDirectory(Path directory) {
        return directory.toString().isEmpty() ? Path.of(".") : directory;
    }
}

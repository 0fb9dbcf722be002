package io.ballast.dashboard.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies the documentation that the dashboard serves: the Markdown files of a directory and of its immediate
 * subdirectories. Images and links to files that are not copied, such as reports and source files, become plain
 * text, like on the web site ({@code bin/docs-links.py}).
 */
final class DocumentBuild {

    private static final int MAX_DEPTH = 2;

    private static final String EXTENSION = ".md";

    /** A link or an image whose target is a relative path, optionally with an anchor. */
    private static final Pattern LINK = Pattern.compile("(!?)\\[([^]]*)]\\(([^)#:\\s]+)(#[^)\\s]*)?\\)");

    private final Path source;
    private final Path target;

    DocumentBuild(Path source, Path target) {
        this.source = source;
        this.target = target;
    }

    /**
     * @param arguments the directory of the documentation and the directory to write to
     */
    public static void main(String[] arguments) throws IOException {
        new DocumentBuild(Path.of(arguments[0]), Path.of(arguments[1])).run();
    }

    /** Writes all documents, and removes documents of earlier builds. */
    void run() throws IOException {
        Files.createDirectories(target);
        for (Path document : documents(target)) {
            Files.delete(document);
        }
        for (Path document : documents(source)) {
            Path copy = target.resolve(source.relativize(document).toString());
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, withoutDeadLinks(document));
        }
    }

    private static List<Path> documents(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory, MAX_DEPTH)) {
            return files.filter(DocumentBuild::isDocument).toList();
        }
    }

    private static boolean isDocument(Path file) {
        return file.toString().endsWith(EXTENSION) && Files.isRegularFile(file);
    }

    private String withoutDeadLinks(Path document) throws IOException {
        return LINK.matcher(Files.readString(document))
                .replaceAll(link -> Matcher.quoteReplacement(isCopied(document, link) ? link.group() : link.group(2)));
    }

    private boolean isCopied(Path document, MatchResult link) {
        Path linked = document.resolveSibling(link.group(3)).normalize();
        return linked.startsWith(source.normalize())
                && source.normalize().relativize(linked).getNameCount() <= MAX_DEPTH
                && isDocument(linked);
    }
}

package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the index leads to every page, and the list of decisions to every decision. */
class PageLinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]+)(?:#[^)\\s]*)?\\)");
    private static final Path DOCS = DocumentPage.ROOT.resolve("docs");

    @Test
    void indexLinksEveryPage() throws IOException {
        List<String> pages = pages().filter(page -> !page.startsWith("decisions/0") && !page.equals("index.md"))
                .toList();

        assertThat(pages).hasSizeGreaterThan(50);
        assertThat(linksOf("index.md")).containsAll(pages);
    }

    @Test
    void listOfDecisionsLinksEveryDecision() throws IOException {
        List<String> decisions = pages().filter(page -> page.startsWith("decisions/0"))
                .map(page -> page.substring("decisions/".length()))
                .toList();

        assertThat(decisions).hasSizeGreaterThan(50);
        assertThat(linksOf("decisions/README.md")).containsAll(decisions);
    }

    @Test
    void readmeHasFewLinks() {
        assertThat(new DocumentPage("README.md").matches(LINK)).hasSizeLessThanOrEqualTo(20);
    }

    private static Stream<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(file -> DOCS.relativize(file).toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static Set<String> linksOf(String page) {
        return new DocumentPage("docs/" + page)
                .matches(LINK).stream().map(link -> link.group(1)).collect(Collectors.toSet());
    }
}

package io.ballast.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that links and type names in documents are valid. */
class DocumentsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern TYPE = Pattern.compile("`([A-Z][a-z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    static List<Path> documents() throws IOException {
        return Stream.concat(
                        Stream.of("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md")
                                .map(ROOT::resolve),
                        pages().stream())
                .toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
            return all.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    @Test
    void allPagesAreInNavigation() throws IOException {
        String site = Files.readString(ROOT.resolve("mkdocs.yml"));
        Path docs = ROOT.resolve("docs");

        assertThat(pages())
                .filteredOn(page -> !page.toString().contains("/decisions/0"))
                .allSatisfy(page -> assertThat(site).contains(": " + docs.relativize(page) + "\n"));
    }

    @Test
    void typesNamedByArchitectureExist() throws IOException {
        Set<String> types = types();

        List<String> named = TYPE.matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();

        assertThat(named).hasSizeGreaterThan(40);
        assertThat(types).containsAll(named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    void linksResolve(Path document) throws IOException {
        List<String> dead = new ArrayList<>();
        for (var link : LINK.matcher(Files.readString(document)).results().toList()) {
            Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
            boolean there = Files.exists(target);
            if (!there || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
                dead.add(link.group());
            }
        }

        assertThat(dead).isEmpty();
    }

    /** Returns the names of headings as used in links: lower case, without punctuation, blanks as hyphens. */
    private static Set<String> anchors(Path document) throws IOException {
        return HEADING.matcher(Files.readString(document))
                .results()
                .map(heading -> "#"
                        + heading.group(1)
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w\\- ]", "")
                                .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static Set<String> types() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                /* maxDepth= */ 20,
                (file, attributes) ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/main/"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
    }
}

package io.ballast.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the dashboard serves every page of the documentation, and every file that a page links to. */
class DocumentLinksTest {

    private static final Path SOURCES = Path.of("../docs");

    /** The targets of inline links and images, link definitions, and HTML attributes. */
    private static final Pattern TARGET = Pattern.compile(
            "]\\(\\s*<?([^)\\s>]+)|^ {0,3}\\[[^]]+]:\\s*(\\S+)|(?:src|href)=\"([^\"]+)\"", Pattern.MULTILINE);

    private static final Pattern EXTERNAL_OR_ANCHOR = Pattern.compile("[a-z]+:.*|#.*");

    private static final Map<String, Integer> STATUS = new ConcurrentHashMap<>();

    private static DashboardFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> SOURCES.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void everyLinkOfPageIsServed(String page) throws Exception {
        String path = "/docs/" + page;

        assertThat(deadLinks(path, fixture.get(path).body())).isEmpty();
        assertThat(status(path)).isEqualTo(200);
    }

    @Test
    void findsDeadLinks() throws Exception {
        String page = """
                [a](api.md) [b](guides/none.md#x "title") ![c](none.png) [d](#e) [f](https://example.com/)
                [g]: ../none.md
                <img src="decisions/none.svg">
                """;

        assertThat(deadLinks("/docs/index.md", page))
                .containsOnlyKeys("guides/none.md#x", "none.png", "../none.md", "decisions/none.svg");
    }

    /** Returns the relative links of a page that are not served, with their status. */
    private static Map<String, Integer> deadLinks(String path, String page) throws IOException, InterruptedException {
        Map<String, Integer> dead = new TreeMap<>();
        for (MatchResult match : TARGET.matcher(page).results().toList()) {
            String link = Stream.of(match.group(1), match.group(2), match.group(3))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            if (!EXTERNAL_OR_ANCHOR.matcher(link).matches()) {
                int status = status(URI.create(path).resolve(link).getPath());
                if (status != 200) {
                    dead.put(link, status);
                }
            }
        }
        return dead;
    }

    private static int status(String path) throws IOException, InterruptedException {
        Integer known = STATUS.get(path);
        if (known != null) {
            return known;
        }
        int status = fixture.get(path).statusCode();
        STATUS.put(path, status);
        return status;
    }
}

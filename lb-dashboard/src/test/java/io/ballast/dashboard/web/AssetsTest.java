package io.ballast.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssetsTest {

    private static final Path SOURCES = Path.of("src/main/web/app");
    private static final Path BUILT = Path.of("target/classes/io/ballast/dashboard/web/page");
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"/?(assets/[^\"]+)\"");

    /** Matches the lines that the build changes: imports, exports and the names of assets. */
    private static final Pattern CHANGED_LINE = Pattern.compile("^(import|export)\\b|assets/|export\\{");

    /** The maximum compressed size of all scripts. The scripts of 0.1.0 have 71 KB, of which libraries are 32 KB. */
    private static final int MAX_SCRIPT_BYTES = 90_000;

    private static DashboardFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    static List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(BUILT)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> BUILT.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void filesAreServedPlainAndCompressedWithEntityTags(String file) throws Exception {
        byte[] content = Files.readAllBytes(BUILT.resolve(file));

        HttpResponse<String> plain = fixture.get("/" + file);
        HttpResponse<byte[]> gzip = compressed("/" + file);

        assertThat(plain.body()).isEqualTo(new String(content, StandardCharsets.UTF_8));
        assertThat(gzip.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
                .isEqualTo(content);
        assertThat(plain.headers().firstValue("etag").orElseThrow())
                .isNotEqualTo(gzip.headers().firstValue("etag").orElseThrow());
        assertThat(plain.headers().firstValue("vary")).hasValue("accept-encoding");
        assertThat(plain.headers().firstValue("cache-control"))
                .hasValue(file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    }

    @ParameterizedTest
    @MethodSource("files")
    void aMatchingTagGetsA304(String file) throws Exception {
        String tag = fixture.get("/" + file).headers().firstValue("etag").orElseThrow();

        HttpResponse<String> again = fixture.get("/" + file, "If-None-Match", "\"other\", " + tag);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("etag")).hasValue(tag);
    }

    @Test
    void aClientThatRejectsGzipGetsTheFilePlain() throws Exception {
        HttpResponse<String> response = fixture.get("/index.html", "Accept-Encoding", "gzip;q=0");

        assertThat(response.headers().firstValue("content-encoding")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/login.html"})
    void pagesHaveNoInlineScriptOrStyleAndLoadNothingElsewhere(String path) throws Exception {
        String page = fixture.get(path).body();

        assertThat(page).doesNotContain("<style").doesNotContain(" style=").doesNotContainPattern("<script>");
        assertThat(page).doesNotContain("http://").doesNotContain("https://");
        assertThat(REFERENCE.matcher(page).results())
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                fixture.get("/" + reference.group(1)).statusCode())
                        .isEqualTo(200));
    }

    @Test
    void thePageLoadsOneBundleOfScriptsAndOneOfStyles() throws Exception {
        assertThat(REFERENCE.matcher(fixture.get("/").body()).results().map(match -> match.group(1)))
                .containsExactlyInAnyOrder(
                        asset("favicon", ".svg"), asset("app", ".css"), asset("theme", ".js"), asset("app", ".js"));
        assertThat(compressed("/" + asset("app", ".js")).body()).hasSizeLessThan(MAX_SCRIPT_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {".js", ".css"})
    void everySourceIsInTheBundleAndMapped(String extension) throws Exception {
        List<String> bundle =
                fixture.get("/" + asset("app", extension)).body().lines().toList();
        JsonTree map =
                JsonTree.of(fixture.get("/" + asset("app", extension + ".map")).body());
        List<String> sources =
                map.at("sources").items().stream().map(JsonTree::text).toList();

        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(files.map(file -> "app/" + file.getFileName()).filter(file -> file.endsWith(extension)))
                    .containsExactlyInAnyOrderElementsOf(sources);
        }
        assertThat(bundle.get(bundle.size() - 1)).contains("sourceMappingURL=app.");
        List<String> originals = originals(map);
        assertThat(originals).hasSizeBetween(400, bundle.size());
        for (int i = 0; i < originals.size(); i++) {
            String original = originals.get(i);
            if (!original.isEmpty() && !CHANGED_LINE.matcher(original).find()) {
                assertThat(bundle.get(i)).isEqualTo(original);
            }
        }
    }

    /** Decodes the mappings; returns the original of each line of the bundle, empty for lines without one. */
    private static List<String> originals(JsonTree map) {
        List<List<String>> contents = map.at("sourcesContent").items().stream()
                .map(content -> content.text().lines().toList())
                .toList();
        List<String> originals = new ArrayList<>();
        int source = 0;
        int line = 0;
        for (String segment : map.at("mappings").text().split(";")) {
            List<Integer> numbers = decode(segment);
            if (!numbers.isEmpty()) {
                source += numbers.get(1);
                line += numbers.get(2);
            }
            originals.add(numbers.isEmpty() ? "" : contents.get(source).get(line));
        }
        return originals;
    }

    /** Decodes numbers in base 64 VLQ. */
    private static List<Integer> decode(String segment) {
        List<Integer> numbers = new ArrayList<>();
        int number = 0;
        int shift = 0;
        for (int i = 0; i < segment.length(); i++) {
            int digit = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(segment.charAt(i));
            number |= (digit & 31) << shift;
            shift += 5;
            if (digit < 32) {
                numbers.add((number & 1) == 1 ? -(number >> 1) : number >> 1);
                number = 0;
                shift = 0;
            }
        }
        return numbers;
    }

    @Test
    void thePageLinksToDocumentsInTheJar() throws Exception {
        String names = Files.readAllLines(SOURCES.resolve("app.js")).stream()
                .filter(line -> line.startsWith("const DOCS = "))
                .findFirst()
                .orElseThrow();

        assertThat(Pattern.compile("'([\\w/-]+)'").matcher(names).results().map(match -> match.group(1)))
                .hasSizeGreaterThan(5)
                .allSatisfy(name ->
                        assertThat(fixture.get("/docs/" + name + ".md").body()).startsWith("# "));
    }

    @Test
    void servesDocumentsOfSubdirectories() {
        assertThat(List.of("guides/production", "keys/pools", "tutorials/http", "decisions/0096-page-bundle"))
                .allSatisfy(name ->
                        assertThat(fixture.get("/docs/" + name + ".md").body()).contains("\n## "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"..%2Fassets.class", "guides", "guides%2F..%2Findex.md", "../page/index.html", "Asset.class"})
    void servesNothingOutsideDocuments(String path) throws Exception {
        assertThat(fixture.get("/docs/" + path).statusCode()).isEqualTo(404);
    }

    @Test
    void bundledLibrariesMatchTheChecksumFile() throws Exception {
        for (String line : Files.readAllLines(Path.of("web/vendor.sha256"))) {
            String[] parts = line.split(" {2}", 2);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(SOURCES.resolve(parts[1])));

            assertThat(HexFormat.of().formatHex(digest)).as(parts[1]).isEqualTo(parts[0]);
        }
        assertThat(Files.readString(SOURCES.resolve("vendor.js")))
                .doesNotContain("eval(")
                .doesNotContain("new Function");
    }

    private static String asset(String prefix, String suffix) throws IOException {
        Pattern name = Pattern.compile("assets/" + prefix + "\\.[0-9a-f]+" + Pattern.quote(suffix));
        return files().stream().filter(name.asMatchPredicate()).findFirst().orElseThrow();
    }

    private static HttpResponse<byte[]> compressed(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(fixture.uri(path))
                .header("Accept-Encoding", "br, gzip;q=0.8")
                .build();
        return fixture.client().send(request, BodyHandlers.ofByteArray());
    }
}

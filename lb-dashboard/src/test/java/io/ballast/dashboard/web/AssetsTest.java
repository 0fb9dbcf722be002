package io.ballast.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssetsTest {

    private static final Path DIRECTORY = Path.of("src/main/resources/io/ballast/dashboard/web");

    private static DashboardFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    static List<String> files() {
        return Assets.FILES;
    }

    @Test
    void everyFileOfTheDirectoryIsServedAndNothingElse() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Assets.FILES);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void filesAreServedPlainAndCompressedWithEntityTags(String file) throws Exception {
        byte[] content = Files.readAllBytes(DIRECTORY.resolve(file));

        HttpResponse<String> plain = fixture.get("/" + file);
        HttpResponse<byte[]> gzip = fixture.client()
                .send(
                        java.net.http.HttpRequest.newBuilder(fixture.uri("/" + file))
                                .header("Accept-Encoding", "br, gzip;q=0.8")
                                .build(),
                        BodyHandlers.ofByteArray());

        assertThat(plain.body()).isEqualTo(new String(content, StandardCharsets.UTF_8));
        assertThat(gzip.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(new GZIPInputStream(new java.io.ByteArrayInputStream(gzip.body())).readAllBytes())
                .isEqualTo(content);
        assertThat(plain.headers().firstValue("etag").orElseThrow())
                .isNotEqualTo(gzip.headers().firstValue("etag").orElseThrow());
        assertThat(plain.headers().firstValue("vary")).hasValue("accept-encoding");
        assertThat(plain.headers().firstValue("cache-control")).hasValue("no-cache");
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
        HttpResponse<String> response = fixture.get("/app.js", "Accept-Encoding", "gzip;q=0");

        assertThat(response.headers().firstValue("content-encoding")).isEmpty();
    }

    @Test
    void thePageHasNoInlineScriptOrStyle() throws Exception {
        String page = fixture.get("/").body();

        assertThat(page).doesNotContain("<style").doesNotContain(" style=").doesNotContainPattern("<script>");
        assertThat(page).doesNotContain("http://").doesNotContain("https://");
    }

    @Test
    void bundledLibrariesMatchTheChecksumFile() throws Exception {
        for (String line : Files.readAllLines(Path.of("web/vendor.sha256"))) {
            String[] parts = line.split(" {2}", 2);
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(DIRECTORY.resolve(parts[1])));

            assertThat(HexFormat.of().formatHex(digest)).as(parts[1]).isEqualTo(parts[0]);
        }
        assertThat(Files.readString(DIRECTORY.resolve("vendor.js")))
                .doesNotContain("eval(")
                .doesNotContain("new Function");
    }
}

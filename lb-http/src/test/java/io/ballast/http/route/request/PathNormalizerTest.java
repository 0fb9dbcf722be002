package io.ballast.http.route.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathNormalizerTest {

    private final PathNormalizer normalizer = new PathNormalizer();

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b, /a/b",
        "/a/b/, /a/b/",
        "/a?b=/../c, /a",
        "/?a, /",
        "//, /",
        "//a///b//, /a/b/",
        "/./a/./b/., /a/b/",
        "/a/../b, /b",
        "/a/b/.., /a/",
        "/../../a, /a",
        "/a/../.., /",
        "/.well-known/x, /.well-known/x",
        "/..a/.b/c.., /..a/.b/c..",
        "/%61%2e%62, /a.b",
        "/a/%2e%2E/b, /b",
        "/a/.%2e/b, /b",
        "/a%2Fb, /a%2Fb",
        "/a%2f..%2fb, /a%2F..%2Fb",
        "/%3f, /?",
        "/%, /%25",
        "/%4, /%254",
        "/%zz, /%25zz",
        "/%2%46, /%252F",
        "/%252F, /%252F",
        "/%4z/%z4, /%254z/%25z4",
        "/a%20b, /a b",
        "*, *"
    })
    void pathIsBroughtIntoItsSimplestForm(String path, String expected) {
        assertThat(normalize(path)).isEqualTo(expected);
    }

    @Test
    void emptyPathBecomesSlash() {
        assertThat(normalize("")).isEqualTo("/");
        assertThat(normalize("?a")).isEqualTo("/");
    }

    @Test
    void removesDotSegmentsOfRandomPaths() {
        Random random = new Random(9);
        String[] parts = {"/", "//", "/.", "/..", "a", "%2e", "%2F", "%", "%4", "/a.b", "...", "%61"};
        for (int i = 0; i < 50_000; i++) {
            StringBuilder path = new StringBuilder("/");
            for (int j = random.nextInt(8); j > 0; j--) {
                path.append(parts[random.nextInt(parts.length)]);
            }

            String result = normalize(path.toString());

            assertThat(result).as(path.toString()).startsWith("/").doesNotContain("//");
            assertThat((result + "/").split("/")).as(path.toString()).doesNotContain(".", "..");
        }
    }

    @ParameterizedTest
    @CsvSource({"/, /", "/a%20b, /a b", "/a%2fb/, /a%2Fb/", "/100%25, /100%25", "/.a/..b/c., /.a/..b/c."})
    void decodesConfiguredPaths(String path, String expected) {
        assertThat(new String(PathNormalizer.normalForm(path), StandardCharsets.ISO_8859_1))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "//", "/a//b", "/./a", "/a/..", "/%2e%2E/a", "/a/.", "/a?b", "/%", "/a%2", "/%zz"})
    void rejectsConfiguredPathsWithDotSegments(String path) {
        assertThatThrownBy(() -> PathNormalizer.normalForm(path))
                .hasMessageStartingWith("path: " + path + " (expected:");
    }

    private String normalize(String path) {
        byte[] bytes = ("<" + path + ">").getBytes(StandardCharsets.US_ASCII);
        normalizer.normalize(bytes, 1, bytes.length - 1);
        return new String(
                normalizer.bytes(),
                normalizer.from(),
                normalizer.to() - normalizer.from(),
                StandardCharsets.ISO_8859_1);
    }
}

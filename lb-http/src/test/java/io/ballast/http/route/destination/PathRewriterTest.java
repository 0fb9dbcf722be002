package io.ballast.http.route.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.TestRequest;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathRewriterTest {

    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    @ParameterizedTest
    @CsvSource({
        "/api, /",
        "/api/, /",
        "/api/x, /x",
        "/api/x/, /x/",
        "/api/x?y=/api, /x?y=/api",
        "/api?y, /?y",
        "/api?, /?",
        // The rest of the path keeps its encoding.
        "/api/a%2Fb%41//c, /a%2Fb%41//c",
        "/api/..a/.b/c.., /..a/.b/c..",
        // The result starts with one slash.
        "/api//x, /x",
        "/api///evil.example/x, /evil.example/x",
        // A differently encoded prefix: the result is the rest of the normalized path, encoded again.
        "//api/x//y, /x/y",
        "/%61pi/%41%2f%3f%25%20, /A%2F%3F%25%20",
        "/a/../api/x, /x",
        "/api/../api/x, /x",
        "/api/x/../y?z, /y?z",
        "/api/../../api/x, /x",
        "/api/%2e%2E/api/x, /x",
        "/api/%0d%0aX:%20y/., /%0D%0AX:%20y/",
        "/./api, /",
        "/api/%zz/., /%25zz/",
    })
    void stripsPrefix(String target, String expected) {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Strip("/api"), new PathMatch.Prefix("/api"));

        assertThat(rewrite(rewriter, target)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/api, /v2",
        "/api/, /v2/",
        "/api/x?y, /v2/x?y",
        "/api//x, /v2//x",
        "/api/%2F, /v2/%2F",
        "//api//x, /v2/x",
        // Dot segments cannot leave the new prefix.
        "/api/../../api/x, /v2/x",
        "/api/%2e%2e/%2e./api/x, /v2/x",
    })
    void aPrefixIsReplaced(String target, String expected) {
        for (String prefix : new String[] {"/api", "/api/"}) {
            for (String replacement : new String[] {"/v2", "/v2/"}) {
                PathRewriter rewriter =
                        PathRewriter.of(new PathRewrite.Replace(replacement), new PathMatch.Prefix(prefix));

                assertThat(rewrite(rewriter, target)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/, /v2/", "'', /v2", "/x, /v2/x", "//x, /v2//x", "?y, /v2?y", "*, *", "/../x, /v2/x"})
    void addsPrefixWhenRouteHasNone(String target, String expected) {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Replace("/v2"), PathMatch.ANY);

        assertThat(rewrite(rewriter, target)).isEqualTo(expected);
    }

    @Test
    void replacesExactPath() {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Replace("/b"), new PathMatch.Exact("/a/"));

        assertThat(rewrite(rewriter, "/a/?x")).isEqualTo("/b?x");
        assertThat(rewrite(rewriter, "/./a//")).isEqualTo("/b");
    }

    @Test
    void stripsPartOfExactPath() {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Strip("/a"), new PathMatch.Exact("/a/b"));

        assertThat(rewrite(rewriter, "/a/b")).isEqualTo("/b");
    }

    @Test
    void findsEncodedPrefixInEitherSpelling() {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Strip("/a%20b"), new PathMatch.Prefix("/a%20b"));

        assertThat(rewrite(rewriter, "/a%20b/%2f%41")).isEqualTo("/%2f%41");
        assertThat(rewrite(rewriter, "/%61%20b/%2f%41")).isEqualTo("/%2FA");
    }

    /** For any encoding, the backend resolves the new path to the normalized path without the prefix. */
    @Test
    void keepsRestOfNormalizedPath() {
        SplittableRandom random = new SplittableRandom(11);
        String[] parts = {"/", "//", "/.", "/..", "/api", "a", "%2e", "%2F", "%25", "%61", "/x", "%0a", "%", ".."};
        PathRewriter strip = PathRewriter.of(new PathRewrite.Strip("/api"), new PathMatch.Prefix("/api"));
        PathRewriter replace = PathRewriter.of(new PathRewrite.Replace("/v2"), new PathMatch.Prefix("/api"));
        int seen = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder path = new StringBuilder(random.nextBoolean() ? "/api" : "/");
            for (int j = random.nextInt(8); j > 0; j--) {
                path.append(parts[random.nextInt(parts.length)]);
            }
            String normal = normal(path.toString());
            if (!(normal + "/").startsWith("/api/")) {
                continue;
            }
            String rest = normal.substring("/api".length());
            seen++;

            String stripped = rewrite(strip, path.toString());

            assertThat(stripped)
                    .as(path.toString())
                    .startsWith("/")
                    .doesNotStartWith("//")
                    .matches("[!-~]+");
            assertThat(normal(stripped)).as(path.toString()).isEqualTo(rest.isEmpty() ? "/" : rest);
            assertThat(normal(rewrite(replace, path.toString())))
                    .as(path.toString())
                    .isEqualTo("/v2" + rest);
        }
        assertThat(seen).isGreaterThan(10_000);
    }

    private String normal(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        scratch.path().normalize(bytes, 0, bytes.length);
        return new String(
                scratch.path().bytes(),
                scratch.path().from(),
                scratch.path().to() - scratch.path().from(),
                StandardCharsets.ISO_8859_1);
    }

    private String rewrite(PathRewriter rewriter, String target) {
        ByteAppender result = rewriter.rewrite(TestRequest.get("h", target), scratch);
        return new String(result.bytes(), 0, result.length(), StandardCharsets.ISO_8859_1);
    }
}

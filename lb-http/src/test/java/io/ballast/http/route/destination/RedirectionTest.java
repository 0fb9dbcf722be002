package io.ballast.http.route.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.route.request.TestRequest;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectionTest {

    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    @ParameterizedTest
    @CsvSource({
        "https://$host$uri, /a?b, https://A.example/a?b",
        "https://$host$uri, /a, https://A.example/a",
        "https://$host$uri, /, https://A.example/",
        "https://$host$uri, '', https://A.example/",
        "https://$host$uri, ?b, https://A.example/?b",
        "https://$host$uri, *, https://A.example/",
        "https://$host:8443$path?x&$query, /a?b, https://A.example:8443/a?x&b",
        "https://www.$host$path, /a?b, https://www.A.example/a",
        "https://b.example, /a, https://b.example",
        "/new$path, /a?b, /new/a",
        "/?from=$path, /a?b, /?from=/a",
        "/login?$query, /a, /login?",
        // The redirect uses the URI as sent, not normalized.
        "https://$host$uri, /a/..//%2F%0d%0a?b, https://A.example/a/..//%2F%0d%0a?b",
        // A client cannot choose another host.
        "$uri, //evil.example/a, /evil.example/a",
        "$path, ///evil.example/a, /evil.example/a",
        "$uri, /\\evil.example, /evil.example",
        "/$query, /?/evil.example, /evil.example",
        "//b.example$uri, //a, //b.example//a"
    })
    void variablesAreFilledIn(String to, String target, String expected) {
        assertThat(location(to, null, TestRequest.get("A.example", target))).isEqualTo(expected);
    }

    @Test
    void rewritesPathFirst() {
        PathRewriter rewriter = PathRewriter.of(new PathRewrite.Replace("/new"), new PathMatch.Prefix("/old"));

        assertThat(location("$uri", rewriter, TestRequest.get("h", "/old/%2F?x")))
                .isEqualTo("/new/%2F?x");
        assertThat(location("https://b.example$path", rewriter, TestRequest.get("h", "/a/../old/x?y")))
                .isEqualTo("https://b.example/new/x");
    }

    @Test
    void requiresHostForAbsoluteLocation() {
        assertThat(location("https://$host/", null, TestRequest.get("", "/"))).isNull();
        assertThat(location("https://a/$path", null, TestRequest.get("", "/b"))).isEqualTo("https://a//b");
    }

    @Test
    void headHasStatus() {
        Redirection redirection = Redirection.of(new RouteAction.Redirect("/a", 308), null, CompiledHeaderChanges.NONE);

        assertThat(redirection.status()).isEqualTo(308);
        assertThat(redirection.head())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("HTTP/1.1 308 Permanent Redirect\r\nContent-Length: 0\r\nLocation: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "ftp://a",
                "javascript:alert(1)",
                "https://",
                "https:///a",
                "https://$path",
                "https://$query",
                "https://a.example$query",
                "https://a.example:$query",
                "https://user@a.example/",
                "$host/a",
                "$query",
                "/a b",
                "/a\r\nX: y",
                "/a\n",
                "/ä",
                "/$",
                "/$x",
                "/$hosts",
                "/$uri_x",
                "//$query",
                "///a"
            })
    void rejectsInvalidLocation(String to) {
        assertThatThrownBy(() -> LocationTemplate.of(to))
                .hasMessageStartingWith("to: " + to + " (expected: a URL or path");
    }

    private @Nullable String location(String to, @Nullable PathRewriter rewriter, RoutedRequest request) {
        ByteAppender result = Redirection.of(new RouteAction.Redirect(to, 302), rewriter, CompiledHeaderChanges.NONE)
                .location(request, scratch);
        return result == null ? null : new String(result.bytes(), 0, result.length(), StandardCharsets.ISO_8859_1);
    }
}

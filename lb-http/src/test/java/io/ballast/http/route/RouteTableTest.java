package io.ballast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.route.request.TestRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTableTest {

    @ParameterizedTest
    @CsvSource({
        "a.example, /, 3",
        "A.EXAMPLE, /, 3",
        "a.example., /, 3",
        "a.example, /v1, 4",
        "a.example, /v1/x?y, 4",
        "a.example, /v10, 3",
        "a.example, /v1/x/y, 5",
        "a.example, //v1/./x/../x/y, 5",
        "a.example, /%761, 4",
        "b.example, /v1, 1",
        "c.b.example, /, 2",
        "c.B.example., /, 2",
        "b.example.org, /, 0",
        "example, /, 0",
        "'.example', /, 0",
        "'.b.example', /, 1",
        "'.', /, 0",
        "'', /v1, 0",
        "xexample, /, 0",
        "a.example, *, 3",
        "a.example, '', 3",
        "[::1], /, 6",
        "[::2], /, 0"
    })
    void maxSpecificRouteWins(String host, String path, int expected) {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.ALL,
                RouteMatch.of("*.example", "/"),
                RouteMatch.of("*.b.example", null),
                RouteMatch.of("a.example", null),
                RouteMatch.of("a.example", "/v1"),
                RouteMatch.of("a.example", "/v1/x/y"),
                RouteMatch.of("[::1]", null));

        assertThat(routes.find(host, path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/api, 5",
        "/api/, 4",
        "/api/x, 4",
        "/api/v1, 1",
        "/api/v1/x, 2",
        "/api/v1/x/y, 2",
        "/api/v2/x, 1",
        "/x.png, 3",
        "/api/x.png, 4",
        "/api/v1/x.png, 1",
        "/x, 0",
        "/%61pi, 5",
        "/api//, 4"
    })
    void exactPathsComeBeforePrefixesAndExpressionsBeforeThePrefixTheyBeginWith(String path, int expected) {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.ALL,
                NumberedRoutes.path(new PathMatch.Regex("/api/v[0-9]+.*")),
                NumberedRoutes.path(new PathMatch.Prefix("/api/v1/x")),
                NumberedRoutes.path(new PathMatch.Regex(".*[.]png")),
                NumberedRoutes.path(new PathMatch.Prefix("/api")),
                NumberedRoutes.path(new PathMatch.Exact("/api")));

        assertThat(routes.find("a", path)).isEqualTo(expected);
    }

    @Test
    void fallsBackToLessSpecificHosts() {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.of("a.b.example", "/only"),
                RouteMatch.of("*.b.example", "/suffix"),
                RouteMatch.of("*.example", "/shorter"),
                RouteMatch.of(null, "/any"));

        assertThat(routes.find("a.b.example", "/only")).isZero();
        assertThat(routes.find("a.b.example", "/suffix")).isEqualTo(1);
        assertThat(routes.find("a.b.example", "/shorter")).isEqualTo(2);
        assertThat(routes.find("a.b.example", "/any")).isEqualTo(3);
        assertThat(routes.find("a.b.example", "/none")).isEqualTo(-1);
    }

    @Test
    void fallsBackToShorterPaths() {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.of(null, "/a"),
                new RouteMatch(
                        List.of(),
                        new PathMatch.Prefix("/a/b"),
                        List.of("PUT"),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        List.of()));

        assertThat(routes.find(new TestRequest("PUT", "h", "/a/b/c"))).isEqualTo(1);
        assertThat(routes.find(new TestRequest("GET", "h", "/a/b/c"))).isZero();
    }

    @Test
    void routeMatchesAllItsHosts() {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.ALL,
                new RouteMatch(
                        List.of("a.example", "*.b.example"),
                        PathMatch.ANY,
                        List.of(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        List.of()));

        assertThat(routes.find("a.example", "/")).isEqualTo(1);
        assertThat(routes.find("x.b.example", "/")).isEqualTo(1);
        assertThat(routes.find("b.example", "/")).isZero();
    }

    @Test
    void equalRoutesUseFileOrder() {
        NumberedRoutes routes =
                NumberedRoutes.of(RouteMatch.of("a", "/x"), RouteMatch.of("a", "/x/"), RouteMatch.of(null, null));

        assertThat(routes.find("a", "/x")).isZero();
        assertThat(routes.find("a", "/x/")).isZero();
    }

    @Test
    void unmatchedRequestHasNoRoute() {
        NumberedRoutes routes = NumberedRoutes.of(RouteMatch.of("a", "/x"));

        assertThat(routes.find("b", "/x")).isEqualTo(-1);
        assertThat(routes.find("a", "/y")).isEqualTo(-1);
        assertThat(routes.find("a", "/xy")).isEqualTo(-1);
        assertThat(routes.find("a", "/x/")).isZero();
    }

    @Test
    void comparesEncodedCharacters() {
        NumberedRoutes routes = NumberedRoutes.of(RouteMatch.of(null, "/a%20b"), RouteMatch.of(null, "/c%2fd"));

        assertThat(routes.find("h", "/a%20b/x")).isZero();
        assertThat(routes.find("h", "/%61%20b")).isZero();
        assertThat(routes.find("h", "/c%2Fd")).isEqualTo(1);
        assertThat(routes.find("h", "/c/d")).isEqualTo(-1);
    }

    @Test
    void catchAllRouteMatchesEverything() {
        assertThat(NumberedRoutes.of(RouteMatch.of(null, "/")).find("", "*")).isZero();
    }
}

package io.ballast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.request.TestRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest {

    private static final ValueMatch B = new ValueMatch.Exact("b");

    @Test
    void methodsAreCaseSensitive() {
        RouteMatch match = NumberedRoutes.methods("GET", "PUT");

        assertThat(takes(match, new TestRequest("GET", "h", "/"))).isTrue();
        assertThat(takes(match, new TestRequest("PUT", "h", "/"))).isTrue();
        assertThat(takes(match, new TestRequest("get", "h", "/"))).isFalse();
        assertThat(takes(match, new TestRequest("PUTX", "h", "/"))).isFalse();
    }

    @Test
    void anyHeaderLineMayMatch() {
        RouteMatch match = NumberedRoutes.header("x-a", B);

        assertThat(takes(match, get("/").header("X-A", "c").header("x-a", "b"))).isTrue();
        assertThat(takes(match, get("/").header("X-A", "B"))).isFalse();
        assertThat(takes(match, get("/").header("X-A", "b, c"))).isFalse();
        assertThat(takes(match, get("/").header("X-AB", "b"))).isFalse();
        assertThat(takes(match, get("/"))).isFalse();
    }

    @Test
    void matchesByPrefixExpressionAndPresence() {
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Prefix("b")), get("/").header("a", "bc")))
                .isTrue();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Prefix("bc")), get("/").header("a", "b")))
                .isFalse();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Regex("[a-c]+")), get("/").header("a", "abc")))
                .isTrue();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Regex("b")), get("/").header("a", "abc")))
                .isFalse();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Present(true)), get("/").header("a", "")))
                .isTrue();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Present(true)), get("/")))
                .isFalse();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Present(false)), get("/")))
                .isTrue();
        assertThat(takes(NumberedRoutes.header("a", new ValueMatch.Present(false)), get("/").header("A", "x")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/?a=b, true",
        "/?x&a=b&y, true",
        "/?a=c&a=b, true",
        "/?%61=%62, true",
        "/?a=b%, false",
        "/?a=B, false",
        "/?A=b, false",
        "/?a=bb, false",
        "/?aa=b, false",
        "/?a, false",
        "/?a=, false",
        "/?=b, false",
        "/?b=a=b, false",
        "/?a==b, false",
        "/a=b, false",
        "/?, false",
        "/, false",
        "/?x?a=b, false",
        "/?&&a=b, true"
    })
    void parametersOfTheQueryAreDecoded(String target, boolean expected) {
        assertThat(takes(NumberedRoutes.query("a", B), get(target))).isEqualTo(expected);
    }

    @Test
    void queryParametersMayBeEmptyOrHaveSpaces() {
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Exact("")), get("/?a")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Exact("")), get("/?a=")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Exact("b c")), get("/?a=b+c")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Exact("b+c")), get("/?a=b%2Bc")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a[]", new ValueMatch.Exact("ü")), get("/?a%5B%5d=%C3%BC")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Present(false)), get("/?b")))
                .isTrue();
        assertThat(takes(NumberedRoutes.query("a", new ValueMatch.Present(false)), get("/?b&a")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "a=b, true",
        "x=y; a=b, true",
        "x=y;a=b;z, true",
        "'a=b ; x=y', true",
        "a=c; a=b, true",
        "A=b, false",
        "a=bb, false",
        "aa=b, false",
        "x=a=b, false",
        "'a=\"b\"', false",
        "a, false",
        "'', false",
        "';', false"
    })
    void cookiesAreFoundByName(String header, boolean expected) {
        assertThat(takes(NumberedRoutes.cookie("a", B), get("/").header("Cookie", header)))
                .isEqualTo(expected);
        assertThat(takes(
                        NumberedRoutes.cookie("a", B),
                        get("/").header("Cookie", "x=y").header("cookie", header)))
                .isEqualTo(expected);
    }

    @Test
    void matchesAbsentCookie() {
        RouteMatch match = NumberedRoutes.cookie("a", new ValueMatch.Present(false));

        assertThat(takes(match, get("/").header("Cookie", "b=a"))).isTrue();
        assertThat(takes(match, get("/").header("Cookie", "b=a; a="))).isFalse();
    }

    @Test
    void matchesClientNetwork() {
        NumberedRoutes routes = NumberedRoutes.of(NumberedRoutes.client("10.0.0.0/8"), NumberedRoutes.client("::1"));

        assertThat(routes.find(get("/"), new byte[] {10, 1, 2, 3})).isZero();
        assertThat(routes.find(get("/"), new byte[] {11, 1, 2, 3})).isEqualTo(-1);
        assertThat(routes.find(get("/"), new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}))
                .isEqualTo(1);
    }

    @Test
    void moreConditionsPrecedeFewer() {
        NumberedRoutes routes = NumberedRoutes.of(
                RouteMatch.ALL,
                NumberedRoutes.header("a", B),
                new RouteMatch(
                        List.of(),
                        RouteMatch.ALL.path(),
                        List.of("GET"),
                        Map.of("a", B),
                        Map.of(),
                        Map.of(),
                        List.of()),
                NumberedRoutes.query("a", B));

        assertThat(routes.find(get("/").header("A", "b"))).isEqualTo(2);
        assertThat(routes.find(new TestRequest("PUT", "h", "/?a=b").header("A", "b")))
                .isEqualTo(1);
        assertThat(routes.find(get("/?a=b"))).isEqualTo(3);
        assertThat(routes.find(get("/"))).isZero();
    }

    private static TestRequest get(String target) {
        return TestRequest.get("h", target);
    }

    private static boolean takes(RouteMatch match, TestRequest request) {
        return NumberedRoutes.of(match).find(request) == 0;
    }
}

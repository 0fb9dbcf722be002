package io.ballast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.ClientDeadlines;
import io.ballast.core.config.ClientLimits;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.config.RouteAction;
import io.ballast.core.config.RouteConfig;
import io.ballast.core.testing.Pools;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every route answers with its number among the routes of the table. */
class RouteTableTest {

    @ParameterizedTest
    @CsvSource({
        "a.example, /, 3",
        "A.EXAMPLE, /, 3",
        "a.example, /v1, 4",
        "a.example, /v1/x?y, 4",
        "a.example, /v10, 3",
        "a.example, /v1/x/y, 5",
        "a.example, //v1/./x/../x/y, 5",
        "a.example, /%761, 4",
        "b.example, /v1, 1",
        "c.b.example, /, 2",
        "b.example.org, /, 0",
        "example, /, 0",
        "'', /v1, 0",
        "xexample, /, 0"
    })
    void mostSpecificRouteWins(String host, String path, int expected) {
        RouteTable table = table(
                route(null, null),
                route("*.example", "/"),
                route("*.b.example", null),
                route("a.example", null),
                route("a.example", "/v1"),
                route("a.example", "/v1/x/y"));

        assertThat(find(table, host, path)).isEqualTo(expected);
    }

    @Test
    void equalRoutesAreTakenInTheOrderOfTheFile() {
        assertThat(find(table(route("a", "/x"), route("a", "/x"), route(null, null)), "a", "/x"))
                .isZero();
    }

    @Test
    void requestsWithoutARouteHaveNone() {
        RouteTable table = table(route("a", "/x"));

        assertThat(find(table, "b", "/x")).isNull();
        assertThat(find(table, "a", "/y")).isNull();
        assertThat(find(table, "a", "/xy")).isNull();
        assertThat(find(table, "a", "/x/")).isZero();
    }

    @Test
    void prefixMayEndWithASlash() {
        RouteTable table = table(route(null, "/x/"));

        assertThat(find(table, "a", "/x")).isZero();
        assertThat(find(table, "a", "/x/y")).isZero();
        assertThat(find(table, "a", "/xy")).isNull();
    }

    @Test
    void singleRouteForEverythingTakesEverything() {
        assertThat(find(table(route(null, "/")), "", "*")).isZero();
    }

    private static RouteConfig route(String host, String path) {
        return new RouteConfig(host, path, new RouteAction.Respond(200, "text/plain", ""));
    }

    private static RouteTable table(RouteConfig... routes) {
        RouteConfig[] numbered = new RouteConfig[routes.length];
        Arrays.setAll(
                numbered,
                i -> new RouteConfig(
                        routes[i].host(),
                        routes[i].path(),
                        new RouteAction.Respond(200, "text/plain", Integer.toString(i))));
        ListenerConfig listener = new ListenerConfig(
                "web",
                new HostPort("127.0.0.1", 0),
                List.of(numbered),
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ListenerConfig.DEFAULT_FORWARDING);
        return RouteTable.compile(listener, Pools.topology());
    }

    private static Integer find(RouteTable table, String host, String path) {
        byte[] octets = (host + path).getBytes(StandardCharsets.US_ASCII);
        Route route = table.find(octets, 0, host.length(), host.length(), octets.length, new PathNormalizer());
        return route instanceof Route.Fixed fixed
                ? Integer.valueOf(new String(fixed.response().body(), StandardCharsets.US_ASCII))
                : null;
    }
}

package io.ballast.http.route;

import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import io.ballast.core.testing.Pools;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.SlashRule;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.route.request.TestRequest;
import io.ballast.net.config.ClientLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Routes that respond with their number in file order. */
final class NumberedRoutes {

    static final byte[] CLIENT = {10, 0, 0, 1};

    private final RouteTable table;
    private final RouteScratch scratch = new RouteScratch(new SplittableRandom(1));

    NumberedRoutes(List<RouteMatch> matches) {
        List<RouteConfig> routes = new ArrayList<>();
        for (RouteMatch match : matches) {
            RouteAction answer = new RouteAction.Respond(200, "text/plain", Integer.toString(routes.size()));
            routes.add(RouteConfig.of(match, answer));
        }
        ListenerConfig listener = new ListenerConfig(
                "web",
                new HostPort("127.0.0.1", 0),
                routes,
                ClientDeadlines.DEFAULT,
                ClientLimits.DEFAULT,
                ListenerConfig.DEFAULT_FORWARDING);
        table = RouteTable.compile(listener.withPaths(new PathRules(SlashRule.PASS, SlashRule.PASS)), Pools.topology());
    }

    static NumberedRoutes of(RouteMatch... matches) {
        return new NumberedRoutes(List.of(matches));
    }

    RouteTable table() {
        return table;
    }

    /** Returns the number of the matching route; -1 for none. */
    int find(RoutedRequest request, byte[] client) {
        Route route = table.find(request, client, scratch);
        return route instanceof Route.Fixed fixed
                ? Integer.parseInt(new String(fixed.response().body(), StandardCharsets.US_ASCII))
                : -1;
    }

    int find(RoutedRequest request) {
        return find(request, CLIENT);
    }

    int find(String host, String target) {
        return find(TestRequest.get(host, target));
    }

    static RouteMatch path(PathMatch path) {
        return new RouteMatch(List.of(), path, List.of(), Map.of(), Map.of(), Map.of(), List.of());
    }

    static RouteMatch methods(String... methods) {
        return new RouteMatch(List.of(), PathMatch.ANY, List.of(methods), Map.of(), Map.of(), Map.of(), List.of());
    }

    static RouteMatch header(String name, ValueMatch value) {
        return new RouteMatch(List.of(), PathMatch.ANY, List.of(), Map.of(name, value), Map.of(), Map.of(), List.of());
    }

    static RouteMatch query(String name, ValueMatch value) {
        return new RouteMatch(List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(name, value), Map.of(), List.of());
    }

    static RouteMatch cookie(String name, ValueMatch value) {
        return new RouteMatch(List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(name, value), List.of());
    }

    static RouteMatch client(String network) {
        return new RouteMatch(
                List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(), List.of(Cidr.parse(network)));
    }
}

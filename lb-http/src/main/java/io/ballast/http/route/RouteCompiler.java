package io.ballast.http.route;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.route.condition.ConditionCompiler;
import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.destination.DestinationCompiler;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles a routing table. For a single use; not thread-safe. */
final class RouteCompiler {

    private static final String ANY = "";

    private final DestinationCompiler destinations;
    private final ListenerConfig listener;
    private final ChallengeFiles challenges;
    private final Map<String, PathCompiler> exact = new HashMap<>();
    private final Map<String, PathCompiler> suffixes = new HashMap<>();
    private final PathCompiler any = new PathCompiler();

    RouteCompiler(DestinationCompiler destinations, ListenerConfig listener, ChallengeFiles challenges) {
        this.destinations = destinations;
        this.listener = listener;
        this.challenges = challenges;
    }

    RouteTable compile(List<RouteConfig> routes) {
        for (int number = 0; number < routes.size(); number++) {
            add(routes.get(number), number);
        }
        Map<String, HostRoutes> bySuffix = linkSuffixes();
        Map<String, HostRoutes> byName = new HashMap<>();
        exact.forEach((host, paths) -> byName.put(host, paths.compile(next(host, bySuffix))));
        HostRoutes rest = bySuffix.remove(ANY);
        HostTable hosts = new HostTable(ByteTable.ofHosts(byName), ByteTable.ofHosts(bySuffix), rest);
        boolean single = routes.size() == 1 && routes.get(0).match().equals(RouteMatch.ALL);
        return new RouteTable(
                hosts,
                single ? destinations.compile(routes.get(0)) : null,
                listener.paths(),
                destinations.refused(),
                destinations.none(),
                listener.tls().isPresent() ? null : challenges);
    }

    private void add(RouteConfig config, int number) {
        RouteMatch match = config.match();
        Destination destination = destinations.compile(config);
        RouteCandidate candidate = new RouteCandidate(
                ConditionCompiler.of(match), match.path() instanceof PathMatch.Regex, number, destination);
        if (match.hosts().isEmpty()) {
            any.add(match.path(), candidate);
        }
        for (String host : match.hosts()) {
            boolean suffix = host.startsWith("*.");
            (suffix ? suffixes : exact)
                    .computeIfAbsent(suffix ? host.substring(1) : host, key -> new PathCompiler())
                    .add(match.path(), candidate);
        }
    }

    /**
     * Compiles shorter suffixes first, because longer suffixes link to them. The key of the routes for any host
     * is empty.
     */
    private Map<String, HostRoutes> linkSuffixes() {
        Map<String, HostRoutes> linked = new HashMap<>();
        linked.put(ANY, any.compile(/* next= */ null));
        suffixes.entrySet().stream()
                .sorted(Comparator.comparingInt(suffix -> suffix.getKey().length()))
                .forEach(suffix ->
                        linked.put(suffix.getKey(), suffix.getValue().compile(next(suffix.getKey(), linked))));
        return linked;
    }

    /** The routes of the longest configured suffix that is shorter than the host. */
    private static @Nullable HostRoutes next(String host, Map<String, HostRoutes> bySuffix) {
        for (int dot = host.indexOf('.', 1); dot > 0; dot = host.indexOf('.', dot + 1)) {
            HostRoutes routes = bySuffix.get(host.substring(dot));
            if (routes != null) {
                return routes;
            }
        }
        return bySuffix.get(ANY);
    }
}

package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.PoolConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Warns about routes with a cache and a filter. A response from the cache does not pass the filter, and the cache does not
 * know whether the filter authenticates clients. A policy that authenticates clients turns the cache off, so there is no
 * warning about its routes.
 */
final class CacheWarnings {

    private final BallastConfig config;
    private final ReadContext reading;

    CacheWarnings(BallastConfig config, ReadContext reading) {
        this.config = config;
        this.reading = reading;
    }

    /**
     * Warns once per listener about each pair of a cache and a filter. The warning points to the listener if it names
     * both policies, otherwise to the first route that uses both.
     */
    void check(ListenerConfig listener, Node node) {
        Set<String> reported = new HashSet<>();
        List<RouteConfig> routes = listener.routes();
        for (int i = 0; i < routes.size(); i++) {
            List<PolicyConfig> policies = policies(listener, routes.get(i));
            Optional<PolicyConfig> cache = find(policies, CacheConfig.class::isInstance);
            Optional<PolicyConfig> filter = find(policies, FilterConfig.class::isInstance);
            boolean isBypassed = find(policies, PolicyRule::authenticates).isPresent();
            if (cache.isPresent() && filter.isPresent() && !isBypassed) {
                List<String> pair = List.of(cache.get().name(), filter.get().name());
                if (reported.add(pair.toString())) {
                    boolean isListeners = listener.policies().containsAll(pair);
                    reading.warning(isListeners ? node : route(node, i), message(pair));
                }
            }
        }
    }

    private static String message(List<String> pair) {
        return "responses from the cache '" + pair.get(0) + "' do not pass the filter '" + pair.get(1)
                + "', so every client can get them even if the filter would refuse its request (expected: different"
                + " routes if the filter decides who may read a response)";
    }

    private List<PolicyConfig> policies(ListenerConfig listener, RouteConfig route) {
        Set<String> names = new LinkedHashSet<>(listener.policies());
        names.addAll(route.policies());
        pools(route.action())
                .map(config.pools()::get)
                .filter(Objects::nonNull)
                .map(PoolConfig::policies)
                .forEach(names::addAll);
        return names.stream()
                .map(config.policies()::get)
                .filter(policy -> policy != null && !policy.dryRun())
                .toList();
    }

    private static Stream<String> pools(RouteAction action) {
        if (action instanceof RouteAction.ToPool to) {
            return Stream.of(to.pool());
        }
        return action instanceof RouteAction.Split split
                ? split.shares().stream().map(RouteAction.Share::pool)
                : Stream.empty();
    }

    private static Optional<PolicyConfig> find(List<PolicyConfig> policies, Predicate<PolicyRule> isWanted) {
        return policies.stream().filter(policy -> isWanted.test(policy.rule())).findFirst();
    }

    /** Returns the node of a route, or the listener's node if the listener has no list of routes. */
    private static Node route(Node listener, int index) {
        Optional<Node> routes = listener instanceof Node.Mapping mapping
                ? mapping.entry("routes").map(Node.Entry::value)
                : Optional.empty();
        return routes.orElse(listener) instanceof Node.Sequence all
                        && index < all.items().size()
                ? all.items().get(index)
                : listener;
    }
}

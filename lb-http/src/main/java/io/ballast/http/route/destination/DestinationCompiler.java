package io.ballast.http.route.destination;

import static java.util.Objects.requireNonNull;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.SlashRule;
import io.ballast.http.files.FileRoute;
import io.ballast.http.header.ComputedHeaders;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicySource;
import io.ballast.http.route.key.RequestKey;
import io.ballast.http.route.request.PathNormalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the actions of routes. Not thread-safe. */
public final class DestinationCompiler {

    private final ListenerConfig listener;
    private final Topology topology;
    private final PolicySource policies;

    public DestinationCompiler(ListenerConfig listener, Topology topology, PolicySource policies) {
        this.listener = listener;
        this.topology = topology;
        this.policies = policies;
    }

    /** Returns the destination of requests that match no route; the policies of the listener apply to them. */
    public Route.None none() {
        PolicyChain chain = PolicyChain.of(
                policies.find(listener.policies()),
                listener.name(),
                topology,
                ComputedHeaders.of(List.of(listener.headers().request())));
        return new Route.None(RouteHeaderEdits.of(listener, chain), chain);
    }

    /** Returns the destination of requests whose path is refused; the policies of the listener apply to them. */
    public Route.Refused refused() {
        Route.None none = none();
        return new Route.Refused(none.edits(), none.policies());
    }

    public Destination compile(RouteConfig route) {
        PathRewriter rewrite = route.rewrite()
                .map(change -> PathRewriter.of(change, route.match().path(), slashes()))
                .orElse(null);
        RouteAction action = route.action();
        if (action instanceof RouteAction.ToPool to) {
            return toPool(route, to.pool(), rewrite);
        }
        if (action instanceof RouteAction.Split split) {
            return split(route, split.shares(), rewrite);
        }
        PolicyChain chain = chain(route, List.of(), List.of(), HeaderChanges.NONE);
        RouteHeaderEdits edits = RouteHeaderEdits.of(listener, route, chain);
        if (action instanceof RouteAction.Redirect redirect) {
            return new Route.Redirect(Redirection.of(redirect, rewrite, edits.response()), edits, chain);
        }
        if (action instanceof RouteAction.Files files) {
            return new Route.Local(
                    new FileRoute(files, rewrite == null ? null : rewrite::rewrite), FileRoute.REASON, edits, chain);
        }
        return new Route.Fixed(FixedResponse.of((RouteAction.Respond) action, edits.response()), edits, chain);
    }

    private @Nullable PolicyChain chain(
            RouteConfig route, List<String> namedByPool, List<NamedPolicy> ofPool, HeaderChanges byPool) {
        List<String> names = new ArrayList<>(listener.policies());
        names.addAll(route.policies());
        names.addAll(namedByPool);
        if (names.isEmpty() && ofPool.isEmpty()) {
            return null;
        }
        List<NamedPolicy> all = new ArrayList<>(policies.find(names));
        all.addAll(ofPool);
        Set<String> computed = ComputedHeaders.of(
                List.of(listener.headers().request(), route.headers().request(), byPool));
        return PolicyChain.of(all, listener.name() + " " + route.match().label(), topology, computed);
    }

    /** Returns the characters that routes treat as a slash, as a combination of {@link PathNormalizer} bits. */
    private int slashes() {
        PathRules paths = listener.paths();
        return (paths.encodedSlash() == SlashRule.DECODE ? PathNormalizer.ENCODED_SLASH : 0)
                | (paths.backslash() == SlashRule.DECODE ? PathNormalizer.BACKSLASH : 0);
    }

    private Route toPool(RouteConfig route, String name, @Nullable PathRewriter rewrite) {
        PoolConfig config = config(name);
        PolicyChain chain = chain(
                route,
                config.policies(),
                policies.ofPool(name),
                config.headers().request());
        Route.ToPool fallback = config.circuitBreaker()
                .flatMap(CircuitBreakerConfig::fallback)
                .map(other -> toPool(route, config(other), rewrite, chain, /* fallback= */ null))
                .orElse(null);
        return toPool(route, config, rewrite, chain, fallback);
    }

    /**
     * Returns the settings of a pool in the new topology. The pool itself keeps its old settings during the
     * compilation.
     */
    private PoolConfig config(String pool) {
        return requireNonNull(topology.configs().get(pool));
    }

    private Route.ToPool toPool(
            RouteConfig route,
            PoolConfig config,
            @Nullable PathRewriter rewrite,
            @Nullable PolicyChain chain,
            Route.@Nullable ToPool fallback) {
        return new Route.ToPool(
                topology.pool(config.name()),
                topology.generation(),
                rewrite,
                RouteHeaderEdits.of(listener, route, config, chain),
                RequestKey.of(config.strategy()),
                chain,
                fallback);
    }

    private WeightedRoutes split(RouteConfig route, List<RouteAction.Share> shares, @Nullable PathRewriter rewrite) {
        List<Route> routes = new ArrayList<>();
        List<Integer> weights = new ArrayList<>();
        for (RouteAction.Share share : shares) {
            routes.add(toPool(route, share.pool(), rewrite));
            weights.add(share.weight());
        }
        return new WeightedRoutes(routes, weights);
    }
}

package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.config.PolicyConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reports mirrors to a pool that also serves the mirrored requests, because the pool would get each request twice. */
final class MirrorPools {

    /** The pools whose requests a policy applies to, by the name of the policy. */
    private final Map<String, Set<String>> served = new HashMap<>();

    private final BallastConfig config;

    private MirrorPools(BallastConfig config) {
        this.config = config;
    }

    /** Reports each mirror to a pool that also receives the original requests, directly or as a fallback. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        List<PolicyConfig> mirrors = config.policies().values().stream()
                .filter(policy -> policy.rule() instanceof MirrorConfig)
                .toList();
        if (mirrors.isEmpty()) {
            return;
        }
        MirrorPools pools = new MirrorPools(config);
        config.listeners().forEach(listener -> listener.routes().forEach(route -> pools.add(listener, route)));
        for (PolicyConfig policy : mirrors) {
            String target = ((MirrorConfig) policy.rule()).pool();
            if (pools.served.getOrDefault(policy.name(), Set.of()).contains(target)) {
                reading.error(
                        poolOf(root, policy.name()),
                        "requests to pool '" + target + "' have this policy (expected: a pool that does not serve the"
                                + " mirrored requests)");
            }
        }
    }

    private void add(ListenerConfig listener, RouteConfig route) {
        for (RouteAction.Share share : route.action().shares()) {
            PoolConfig pool = config.pools().get(share.pool());
            if (pool == null) {
                continue; // the name is unknown, which was reported before
            }
            Stream.of(listener.policies(), route.policies(), pool.policies())
                    .flatMap(List::stream)
                    .forEach(policy -> add(policy, pool));
        }
    }

    private void add(String policy, PoolConfig pool) {
        Set<String> pools = served.computeIfAbsent(policy, name -> new HashSet<>());
        pools.add(pool.name());
        pool.circuitBreaker().flatMap(CircuitBreakerConfig::fallback).ifPresent(pools::add);
    }

    /** Returns the node of the mirror's pool in the file; if it is not found, the innermost mapping around it. */
    private static Node poolOf(Node.Mapping root, String policy) {
        Node node = root;
        for (String key : new String[] {"policies", policy, "mirror", "pool"}) {
            if (node instanceof Node.Mapping mapping && mapping.entry(key).isPresent()) {
                node = mapping.entry(key).get().value();
            }
        }
        return node;
    }
}

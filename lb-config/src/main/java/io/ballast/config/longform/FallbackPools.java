package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConfig;

/** Reports circuit breakers whose fallback pool cannot replace their own pool. */
final class FallbackPools {

    private FallbackPools() {}

    /**
     * Reports each fallback to the same pool, and each fallback to a pool with policies: requests that fall back do not
     * pass these policies, so an access restriction would be bypassed.
     */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        config.pools()
                .values()
                .forEach(pool -> pool.circuitBreaker()
                        .flatMap(CircuitBreakerConfig::fallback)
                        .ifPresent(fallback -> check(config, pool.name(), fallback, root, reading)));
    }

    private static void check(
            BallastConfig config, String pool, String fallback, Node.Mapping root, ReadContext reading) {
        PoolConfig target = config.pools().get(fallback);
        if (fallback.equals(pool)) {
            reading.error(fallbackOf(root, pool), "the same pool (expected: another pool)");
        } else if (target != null && !target.policies().isEmpty()) {
            reading.error(
                    fallbackOf(root, pool),
                    "pool '" + fallback
                            + "' has policies, which do not apply to requests that fall back (expected: a pool"
                            + " without policies; name them on the listener or the route)");
        }
    }

    /** Returns the node of the fallback in the file; if it is not found, the innermost mapping around it. */
    private static Node fallbackOf(Node.Mapping root, String pool) {
        Node node = root;
        for (String key : new String[] {"pools", pool, "circuit_breaker", "fallback"}) {
            if (node instanceof Node.Mapping mapping && mapping.entry(key).isPresent()) {
                node = mapping.entry(key).get().value();
            }
        }
        return node;
    }
}

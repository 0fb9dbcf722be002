package io.ballast.policy.config;

import io.ballast.core.config.PoolConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The policies that are configured by keys of pools. Their names, such as {@code pool:web/circuit_breaker}, cannot be
 * names under {@code policies}.
 */
public final class PoolPolicies {

    static final String CIRCUIT_BREAKER = "circuit_breaker";
    static final String CONCURRENCY = "concurrency";

    private static final String PREFIX = "pool:";

    private PoolPolicies() {}

    /** Returns the policies of all pools. */
    public static List<PolicyConfig> of(Collection<PoolConfig> pools) {
        return pools.stream().flatMap(pool -> of(pool).stream()).toList();
    }

    /** Returns the policies of a pool in the order of their evaluation. */
    private static List<PolicyConfig> of(PoolConfig pool) {
        List<PolicyRule> rules = new ArrayList<>();
        pool.circuitBreaker().ifPresent(breaker -> rules.add(new CircuitBreakerRule(pool.name(), breaker)));
        pool.concurrency().ifPresent(limit -> rules.add(new PoolConcurrencyRule(limit)));
        return rules.stream()
                .map(rule -> new PolicyConfig(name(pool.name(), rule.kind()), rule, /* dryRun= */ false))
                .toList();
    }

    /** Returns the names that the policies of a pool have if they are configured, in the order of their evaluation. */
    public static List<String> names(String pool) {
        return List.of(name(pool, CIRCUIT_BREAKER), name(pool, CONCURRENCY));
    }

    private static String name(String pool, String kind) {
        return PREFIX + pool + "/" + kind;
    }
}

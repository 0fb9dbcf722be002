package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * A name balanced over pools.
 *
 * @param name relative to its zone, in lower case; {@code @} for the zone's own name
 * @param target where its addresses come from
 * @param ttl of the address records
 * @param whenAllDown what it answers when nothing is healthy
 * @param https its HTTPS record, absent when it has none
 */
public record ServiceConfig(
        String name, TargetConfig target, TtlConfig ttl, WhenAllDown whenAllDown, Optional<HttpsConfig> https) {

    /** Every usable address. */
    public static final int ALL = 0;

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    public ServiceConfig {
        if (whenAllDown instanceof WhenAllDown.Fallback fallback) {
            fallback.pool()
                    .ifPresent(pool -> Checks.that(
                            !target.pools().contains(pool),
                            "when_all_down",
                            pool,
                            "a pool that the service does not use already"));
        }
    }

    /**
     * A service on one pool.
     *
     * @param answers how many addresses an answer has at most; {@link #ALL} for all of them
     */
    public ServiceConfig(String name, String pool, Routing routing, Duration ttl, int answers) {
        this(
                name,
                TargetConfig.OfPool.of(pool, routing, answers),
                TtlConfig.fixed(ttl),
                WhenAllDown.ALL,
                Optional.empty());
    }

    /** How a service chooses among the addresses of a pool, or among targets. */
    public enum Routing {
        ROUND_ROBIN("round-robin", ALL),
        WEIGHTED("weighted", 1),
        FAILOVER("failover", ALL),
        GEO("geo", ALL),
        LATENCY("latency", 1),
        RANDOM("random", ALL),
        HASH("hash", 1);

        private final String label;
        private final int defaultAnswers;

        Routing(String label, int defaultAnswers) {
            this.label = label;
            this.defaultAnswers = defaultAnswers;
        }

        /** The name used in files and on the dashboard. */
        public String label() {
            return label;
        }

        /**
         * How many addresses an answer has unless the file says: one where the choice is the point, since resolvers put
         * several into an order of their own.
         */
        public int defaultAnswers() {
            return defaultAnswers;
        }
    }
}

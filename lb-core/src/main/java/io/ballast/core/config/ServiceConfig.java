package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * A name balanced over a pool.
 *
 * @param name relative to its zone, in lower case; {@code @} for the zone's own name
 * @param pool whose backends are the answer
 * @param routing how the addresses are chosen
 * @param ttl of the address records
 * @param answers how many addresses an answer has at most; {@link #ALL} for all of them
 */
public record ServiceConfig(String name, String pool, Routing routing, Duration ttl, int answers) {

    /** Every usable address. */
    public static final int ALL = 0;

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    public ServiceConfig {
        Checks.atLeast(answers, 0, "answers");
    }

    /** How a service chooses among the addresses of its pool. */
    public enum Routing {
        ROUND_ROBIN("round-robin"),
        WEIGHTED("weighted"),
        FAILOVER("failover");

        private final String label;

        Routing(String label) {
            this.label = label;
        }

        /** The name used in files and on the dashboard. */
        public String label() {
            return label;
        }
    }
}

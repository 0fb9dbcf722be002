package io.ballast.core.config;

import java.util.List;
import java.util.Optional;

/** The strategies, with the names that files, metrics and the dashboard use. */
public enum StrategyKind {
    ROUND_ROBIN("round-robin"),
    WEIGHTED_ROUND_ROBIN("weighted-round-robin", "w-round-robin"),
    RANDOM("random"),
    POWER_OF_TWO("power-of-two", "p2c"),
    LEAST_CONNECTION("least-connection"),
    LEAST_RESPONSE_TIME("least-response-time"),
    IP_HASH("ip-hash"),
    HASH("hash"),
    FAILOVER("failover", "priority"),
    STICKY("sticky"),
    GEO("geo"),
    LATENCY("latency");

    private final String label;
    private final List<String> aliases;

    StrategyKind(String label, String... aliases) {
        this.label = label;
        this.aliases = List.of(aliases);
    }

    /** The name of the strategy in configuration files, in metrics and on the dashboard. */
    public String label() {
        return label;
    }

    /** Other names of the strategy that configuration files may use. */
    public List<String> aliases() {
        return aliases;
    }

    /** Returns the strategy with this name or alias. */
    public static Optional<StrategyKind> named(String name) {
        for (StrategyKind kind : values()) {
            if (kind.label.equals(name) || kind.aliases.contains(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}

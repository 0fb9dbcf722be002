package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * One source of a pool's backends, and how far it is believed.
 *
 * @param source where they are told of
 * @param hold how long an answer that takes away more than half of the backends must stand before it is believed; zero for at
 *     once
 * @param allowLocal whether addresses of this machine, and those of its link alone, are believed
 */
public record PoolDiscovery(DiscoveryConfig source, Duration hold, boolean allowLocal) {

    public static final Duration DEFAULT_HOLD = Duration.ofSeconds(30);
    public static final boolean DEFAULT_ALLOW_LOCAL = false;

    public PoolDiscovery {
        Checks.that(!hold.isNegative(), "hold", hold, ">= 0");
    }

    /** One that is believed as by default. */
    public static PoolDiscovery of(DiscoveryConfig source) {
        return new PoolDiscovery(source, DEFAULT_HOLD, DEFAULT_ALLOW_LOCAL);
    }

    /** How messages and metrics call it: {@code dns app.internal}. */
    public String label() {
        return source.type() + " " + source.subject();
    }
}

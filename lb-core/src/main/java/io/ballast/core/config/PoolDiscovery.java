package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * One source of a pool's backends, with its safety limits.
 *
 * @param source the source
 * @param hold how long an answer that removes more than half of the backends must persist before it is
 *     accepted; zero to accept it immediately
 * @param allowLocal whether loopback and link-local addresses are accepted
 */
public record PoolDiscovery(DiscoveryConfig source, Duration hold, boolean allowLocal) {

    public static final Duration DEFAULT_HOLD = Duration.ofSeconds(30);
    public static final boolean DEFAULT_ALLOW_LOCAL = false;

    public PoolDiscovery {
        Checks.that(!hold.isNegative(), "hold", hold, ">= 0");
    }

    /** Creates a discovery with the default limits. */
    public static PoolDiscovery of(DiscoveryConfig source) {
        return new PoolDiscovery(source, DEFAULT_HOLD, DEFAULT_ALLOW_LOCAL);
    }

    /** Returns the name in messages and metrics: {@code dns app.internal}. */
    public String label() {
        return source.type() + " " + source.subject();
    }
}

package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How long resolvers may cache the addresses of a service: a fixed time, or the time until a health check could change
 * the addresses, limited by two bounds.
 *
 * @param min the lower bound, in whole seconds
 * @param max the upper bound, in whole seconds; the same as {@code min} for a fixed time
 */
public record TtlConfig(Duration min, Duration max) {

    public TtlConfig {
        Checks.that(min.compareTo(max) <= 0, "min", min, "at most max");
    }

    public static TtlConfig fixed(Duration ttl) {
        return new TtlConfig(ttl, ttl);
    }

    public boolean isFixed() {
        return min.equals(max);
    }

    /**
     * Returns the TTL of addresses that do not change for {@code stableFor}: this time, limited by the two
     * bounds.
     */
    public Duration clamp(Duration stableFor) {
        if (stableFor.compareTo(max) >= 0) {
            return max;
        }
        return stableFor.compareTo(min) <= 0 ? min : stableFor;
    }
}

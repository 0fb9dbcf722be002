package io.ballast.discovery.dns;

import java.time.Duration;

/** The time until the next query for a name: its TTL, within bounds. */
final class RequeryDelay {

    /** However short the TTL. */
    static final Duration LEAST = Duration.ofSeconds(1);

    /** However long the TTL. */
    static final Duration MOST = Duration.ofMinutes(5);

    private RequeryDelay() {}

    static Duration after(Duration ttl) {
        if (ttl.compareTo(LEAST) < 0) {
            return LEAST;
        }
        return ttl.compareTo(MOST) > 0 ? MOST : ttl;
    }
}

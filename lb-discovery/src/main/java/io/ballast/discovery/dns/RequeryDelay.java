package io.ballast.discovery.dns;

import java.time.Duration;

/** The time until the next query for a name: the TTL of the last answer, within bounds. */
final class RequeryDelay {

    /** Minimum delay, even if the TTL is shorter. */
    static final Duration MIN = Duration.ofSeconds(1);

    /** Maximum delay, even if the TTL is longer. */
    static final Duration MAX = Duration.ofMinutes(5);

    private RequeryDelay() {}

    static Duration after(Duration ttl) {
        if (ttl.compareTo(MIN) < 0) {
            return MIN;
        }
        return ttl.compareTo(MAX) > 0 ? MAX : ttl;
    }
}

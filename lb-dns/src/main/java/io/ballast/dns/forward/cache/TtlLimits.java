package io.ballast.dns.forward.cache;

import io.ballast.core.Checks;

/**
 * Bounds of what upstreams say about how long their answers hold. A TTL that a bound changes is given out as changed.
 *
 * @param minSeconds the floor; an answer whose TTL is 0 is kept only if this is more
 * @param maxSeconds the ceiling
 * @param negativeMaxSeconds the ceiling for answers that say that there is nothing (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc2308#section-5">RFC 2308 section 5</a>); stronger than the floor
 * @param failureSeconds how long a failure is kept, 1 to {@value #MAX_FAILURE_SECONDS}
 */
public record TtlLimits(int minSeconds, int maxSeconds, int negativeMaxSeconds, int failureSeconds) {

    /** The longest that failures are kept. */
    public static final int MAX_FAILURE_SECONDS = 30;

    /** No floor, a day, an hour, and 5 seconds. */
    public static final TtlLimits DEFAULT = new TtlLimits(0, 86_400, 3_600, 5);

    public TtlLimits {
        Checks.atLeast(minSeconds, 0, "minSeconds");
        Checks.atLeast(maxSeconds, Math.max(1, minSeconds), "maxSeconds");
        Checks.atLeast(negativeMaxSeconds, 0, "negativeMaxSeconds");
        Checks.between(failureSeconds, 1, MAX_FAILURE_SECONDS, "failureSeconds");
    }

    /** The TTL that is given out for one that was received; with the top bit set it counts as 0 (RFC 2181 section 8). */
    int bound(int ttl) {
        return Math.min(Math.max(Math.max(ttl, 0), minSeconds), maxSeconds);
    }

    /** The same for the SOA record of a negative answer. */
    int boundNegative(int ttl) {
        return Math.min(bound(ttl), negativeMaxSeconds);
    }
}

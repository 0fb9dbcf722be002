package io.ballast.dns.forward.cache;

import io.ballast.core.Checks;

/**
 * Limits of the lifetimes of upstream answers. A TTL outside the limits is clamped, and clients also get the clamped
 * value.
 *
 * @param minSeconds the minimum lifetime; an answer with TTL 0 is cached only if this minimum is higher than 0
 * @param maxSeconds the maximum lifetime
 * @param negativeMaxSeconds the maximum lifetime of negative answers (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc2308#section-5">RFC 2308 section 5</a>); takes precedence over the
 *     minimum
 * @param failureSeconds lifetime of a failure, 1 to {@value #MAX_FAILURE_SECONDS}
 */
public record TtlLimits(int minSeconds, int maxSeconds, int negativeMaxSeconds, int failureSeconds) {

    /** The longest time for which failures are cached. */
    public static final int MAX_FAILURE_SECONDS = 30;

    /**
     * The default limits: no minimum, at most a day, at most an hour for negative answers, and 5 seconds for
     * failures.
     */
    public static final TtlLimits DEFAULT = new TtlLimits(0, 86_400, 3_600, 5);

    public TtlLimits {
        Checks.atLeast(minSeconds, 0, "minSeconds");
        Checks.atLeast(maxSeconds, Math.max(1, minSeconds), "maxSeconds");
        Checks.atLeast(negativeMaxSeconds, 0, "negativeMaxSeconds");
        Checks.between(failureSeconds, 1, MAX_FAILURE_SECONDS, "failureSeconds");
    }

    /**
     * Returns the TTL to serve for a received TTL. A TTL with the top bit set counts as 0 (RFC 2181 section 8).
     */
    int clamp(int ttl) {
        return Math.min(Math.max(Math.max(ttl, 0), minSeconds), maxSeconds);
    }

    /** Returns the TTL to serve for the SOA record of a negative answer. */
    int clampNegative(int ttl) {
        return Math.min(clamp(ttl), negativeMaxSeconds);
    }
}

package io.ballast.dns.config.forward;

import java.time.Duration;

/**
 * The cache of upstream answers.
 *
 * @param sizeBytes memory limit, {@value #MIN_SIZE_BYTES} or more
 * @param minTtl minimum lifetime of answers
 * @param maxTtl maximum lifetime of answers
 * @param maxNegativeTtl maximum lifetime of negative answers (RFC 2308)
 * @param failureTtl lifetime of failures, at most {@link #MAX_FAILURE_TTL} (RFC 9520)
 * @param stale how long an expired answer may be served while resolvers do not answer (RFC 8767); zero to disable
 * @param staleAfter time after the query at which a stale answer is served
 * @param prefetch whether popular answers are refreshed before they expire
 * @param snapshot whether the cache is written to the data directory at shutdown, and read at the start
 */
public record DnsCacheConfig(
        int sizeBytes,
        Duration minTtl,
        Duration maxTtl,
        Duration maxNegativeTtl,
        Duration failureTtl,
        Duration stale,
        Duration staleAfter,
        boolean prefetch,
        boolean snapshot) {

    public static final int MIN_SIZE_BYTES = 64 * 1024;
    public static final Duration MAX_FAILURE_TTL = Duration.ofSeconds(30);

    /** The maximum lifetime of negative answers, as RFC 2308 recommends. */
    public static final Duration MAX_NEGATIVE_TTL = Duration.ofHours(3);

    /** The maximum TTL (RFC 8767, section 4). */
    public static final Duration MAX_TTL = Duration.ofDays(7);

    public static final DnsCacheConfig DEFAULT = new DnsCacheConfig(
            32 * 1024 * 1024,
            Duration.ZERO,
            Duration.ofDays(1),
            Duration.ofHours(1),
            Duration.ofSeconds(5),
            Duration.ofDays(1),
            Duration.ofMillis(1800),
            /* prefetch= */ true,
            /* snapshot= */ false);
}

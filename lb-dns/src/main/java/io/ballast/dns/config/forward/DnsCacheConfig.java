package io.ballast.dns.config.forward;

import java.time.Duration;

/**
 * How answers of upstream resolvers are kept.
 *
 * @param sizeBytes most memory that they take together, {@value #MIN_SIZE_BYTES} or more
 * @param minTtl answers live at least this long, whatever they say
 * @param maxTtl and at most this long
 * @param maxNegativeTtl at most this long those that say that something does not exist (RFC 2308)
 * @param failureTtl this long those that say that the resolver failed, at most {@link #MAX_FAILURE_TTL} (RFC 9520)
 * @param stale how long after its end an answer may still be given while resolvers do not answer (RFC 8767); zero for
 *     not at all
 * @param staleAfter when one is given, though a resolver may answer yet, counted from the query
 * @param prefetch whether answers that are asked for near their end are asked for again before it
 * @param snapshot whether answers are written to the data directory at the end, and read at the start
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

    /** The longest that RFC 2308 recommends. */
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

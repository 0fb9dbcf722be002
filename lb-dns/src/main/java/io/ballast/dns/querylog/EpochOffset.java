package io.ballast.dns.querylog;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Computes the difference between the wall clock and the monotonic clock. */
final class EpochOffset {

    private EpochOffset() {}

    /**
     * Returns the offset that converts a monotonic time to nanoseconds since 1970. It changes when the wall
     * clock is set.
     */
    static long nanos(Clock clock, long nowNanos) {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - nowNanos;
    }
}

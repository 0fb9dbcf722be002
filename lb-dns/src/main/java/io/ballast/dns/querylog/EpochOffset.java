package io.ballast.dns.querylog;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Between the clock that measures and the one that tells the time. */
final class EpochOffset {

    private EpochOffset() {}

    /** What has to be added to a time of the one that measures, in nanoseconds since 1970. It changes when clocks are set. */
    static long nanos(Clock clock, long nowNanos) {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - nowNanos;
    }
}

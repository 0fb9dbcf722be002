package io.ballast.core.backend;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How often and for how long a backend has been {@link BackendState#DOWN} since this process knows it. Ejections, drains and
 * maintenance do not count.
 *
 * @param times how often it went down
 * @param ended the sum of the outages that are over
 * @param since when the present outage began; empty while it is not down
 */
public record Downtime(long times, Duration ended, Optional<Instant> since) {

    /** The value for a backend that was never down. */
    static final Downtime NONE = new Downtime(0, Duration.ZERO, Optional.empty());

    /** The sum of all outages until {@code now}. */
    public Duration total(Instant now) {
        return since.map(start -> ended.plus(between(start, now))).orElse(ended);
    }

    /** Returns the value after the backend got this status. */
    Downtime after(HealthStatus status) {
        boolean down = status.state() == BackendState.DOWN;
        if (down == since.isPresent()) {
            return this;
        }
        return down
                ? new Downtime(times + 1, ended, Optional.of(status.since()))
                : new Downtime(times, total(status.since()), Optional.empty());
    }

    /** A clock that was set back must not take downtime away. */
    private static Duration between(Instant start, Instant end) {
        return end.isAfter(start) ? Duration.between(start, end) : Duration.ZERO;
    }
}

package io.ballast.core.backend;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The number and duration of a backend's {@link BackendState#DOWN} periods since the backend was added to
 * this process. Ejections, drains and maintenance do not count.
 *
 * @param outages the number of outages
 * @param endedOutagesDuration the total duration of the outages that have ended
 * @param since the start of the current outage; empty while the backend is not down
 */
public record Downtime(long outages, Duration endedOutagesDuration, Optional<Instant> since) {

    /** The value for a backend that was never down. */
    static final Downtime NONE = new Downtime(0, Duration.ZERO, Optional.empty());

    /** The sum of all outages until {@code now}. */
    public Duration total(Instant now) {
        return since.map(start -> endedOutagesDuration.plus(between(start, now)))
                .orElse(endedOutagesDuration);
    }

    /** Returns the downtime after the backend changed to this status. */
    Downtime withStatus(HealthStatus status) {
        boolean down = status.state() == BackendState.DOWN;
        if (down == since.isPresent()) {
            return this;
        }
        return down
                ? new Downtime(outages + 1, endedOutagesDuration, Optional.of(status.since()))
                : new Downtime(outages, total(status.since()), Optional.empty());
    }

    /**
     * Returns the time between two instants. If the clock was set back, the result is zero, so that the downtime
     * does not decrease.
     */
    private static Duration between(Instant start, Instant end) {
        return end.isAfter(start) ? Duration.between(start, end) : Duration.ZERO;
    }
}

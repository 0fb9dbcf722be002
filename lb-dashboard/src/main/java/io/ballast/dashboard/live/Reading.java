package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.stats.LatencySummary;

/**
 * Totals at one moment, of one backend or of several together. Immutable.
 *
 * @param requests requests sent to backends
 * @param errors failures and responses of class 5xx
 * @param latency response times of exchanges that ended well
 */
public record Reading(long requests, long errors, LatencySummary latency) {

    public static final Reading NONE = new Reading(0, 0, LatencySummary.NOTHING);

    static Reading of(Backend backend) {
        return new Reading(
                backend.stats().sum(BackendCounter.REQUESTS),
                CounterGroups.errors(backend.stats()),
                backend.stats().latency());
    }

    Reading plus(Reading other) {
        return new Reading(requests + other.requests, errors + other.errors, latency.plus(other.latency));
    }

    Reading since(Reading earlier) {
        return new Reading(requests - earlier.requests, errors - earlier.errors, latency.since(earlier.latency));
    }

    /** Errors per request, 0 to 1; 0 without requests. */
    public double errorShare() {
        return requests == 0 ? 0 : Math.min(1, (double) errors / requests);
    }
}

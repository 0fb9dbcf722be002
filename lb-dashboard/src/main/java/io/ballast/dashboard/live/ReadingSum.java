package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;

/** Adds readings up without keeping them: there may be ten thousand. Confined to one thread. */
public final class ReadingSum {

    private final LatencySummary.Sum latency = new LatencySummary.Sum();
    private long requests;
    private long settled;
    private long errors;
    private long inFlight;

    public void add(Reading part) {
        requests += part.requests();
        settled += part.settled();
        errors += part.errors();
        inFlight += part.inFlight();
        latency.add(part.latency());
    }

    /** What was added so far. */
    public Reading total() {
        return new Reading(requests, settled, errors, latency.total(), inFlight);
    }
}

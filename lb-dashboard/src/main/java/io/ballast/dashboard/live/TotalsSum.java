package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;

/**
 * Adds up {@link Totals} without storing them, because there may be ten thousand of them. Confined to one
 * thread.
 */
public final class TotalsSum {

    private final LatencySummary.Sum latency = new LatencySummary.Sum();
    private long requests;
    private long completed;
    private long errors;
    private long inFlight;

    public void add(Totals part) {
        requests += part.requests();
        completed += part.completed();
        errors += part.errors();
        inFlight += part.inFlight();
        latency.add(part.latency());
    }

    /** Returns the sum of the totals that have been added. */
    public Totals total() {
        return new Totals(requests, completed, errors, latency.total(), inFlight);
    }
}

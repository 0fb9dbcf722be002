package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.ListenerStats;

/**
 * Totals at one moment: of attempts at backends, or of clients' requests. Immutable.
 *
 * @param requests requests sent to backends, or received from clients
 * @param settled what errors are a share of: attempts, those that found no connection included, or requests that are over
 * @param errors failures and responses of class 5xx
 * @param latency response times of exchanges that ended well
 * @param inFlight how many run at that moment; not a total
 */
public record Totals(long requests, long settled, long errors, LatencySummary latency, long inFlight) {

    public static final Totals NONE = new Totals(0, 0, 0, LatencySummary.NOTHING, 0);

    /** Attempts at a backend. */
    static Totals of(Backend backend) {
        long requests = backend.stats().sum(BackendCounter.REQUESTS);
        return new Totals(
                requests,
                requests + CounterGroups.connectFailures(backend.stats()),
                CounterGroups.errors(backend.stats()),
                backend.stats().latency(),
                backend.inFlight().count());
    }

    /** Requests of a listener's clients; their times are those of the backends. */
    static Totals of(ListenerStats listener) {
        long errors = listener.errors();
        long completed = listener.requestsCompleted();
        long requests = listener.requests(); // last: a request begins before it is over
        return new Totals(requests, completed, errors, LatencySummary.NOTHING, requests - completed);
    }

    /** Clients' requests that went to a pool and are over. */
    static Totals of(Pool pool) {
        long errors = pool.counters().sum(PoolCounter.ERRORS);
        long requests = pool.counters().sum(PoolCounter.REQUESTS);
        return new Totals(requests, requests, errors, LatencySummary.NOTHING, 0);
    }

    Totals since(Totals earlier) {
        return new Totals(
                requests - earlier.requests,
                settled - earlier.settled,
                errors - earlier.errors,
                latency.since(earlier.latency),
                inFlight);
    }

    Totals plus(Totals other) {
        return new Totals(
                requests + other.requests,
                settled + other.settled,
                errors + other.errors,
                latency.plus(other.latency),
                inFlight + other.inFlight);
    }

    public Totals with(LatencySummary times) {
        return new Totals(requests, settled, errors, times, inFlight);
    }

    /** The part of what was settled that went wrong, 0 to 1; 0 where nothing did. */
    public double errorShare() {
        return errors <= 0 ? 0 : Math.min(1, (double) errors / Math.max(1, settled));
    }
}

package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.source.ListenerStats;

/**
 * Totals at one moment, either of attempts at backends or of clients' requests. Immutable.
 *
 * @param requests requests sent to backends, or received from clients
 * @param completed completed attempts or requests, the denominator of the error share; includes attempts
 *     without a connection
 * @param errors failures and 5xx responses
 * @param latency response times of successful exchanges
 * @param inFlight current number in flight; not a total
 */
public record Totals(long requests, long completed, long errors, LatencySummary latency, long inFlight) {

    public static final Totals NONE = new Totals(0, 0, 0, LatencySummary.NOTHING, 0);

    /** Totals of the attempts at a backend. */
    static Totals of(Backend backend) {
        long requests = backend.stats().sum(BackendCounter.REQUESTS);
        return new Totals(
                requests,
                requests + CounterGroups.connectFailures(backend.stats()),
                CounterGroups.errors(backend.stats()),
                backend.stats().latency(),
                backend.inFlight().count());
    }

    /** Totals of a listener's requests, without response times, because only backends measure them. */
    static Totals of(ListenerStats listener) {
        long errors = listener.errors();
        long completed = listener.requestsCompleted();
        long requests = listener.requests(); // read last: a request starts before it completes
        return new Totals(requests, completed, errors, LatencySummary.NOTHING, requests - completed);
    }

    /** Totals of the completed requests of a pool. */
    static Totals of(Pool pool) {
        long errors = pool.counters().sum(PoolCounter.ERRORS);
        long requests = pool.counters().sum(PoolCounter.REQUESTS);
        return new Totals(requests, requests, errors, LatencySummary.NOTHING, 0);
    }

    Totals since(Totals earlier) {
        return new Totals(
                requests - earlier.requests,
                completed - earlier.completed,
                errors - earlier.errors,
                latency.since(earlier.latency),
                inFlight);
    }

    Totals plus(Totals other) {
        return new Totals(
                requests + other.requests,
                completed + other.completed,
                errors + other.errors,
                latency.plus(other.latency),
                inFlight + other.inFlight);
    }

    public Totals withLatency(LatencySummary times) {
        return new Totals(requests, completed, errors, times, inFlight);
    }

    /** Returns the share of errors among completed requests, 0 to 1; 0 if there are none. */
    public double errorShare() {
        return errors <= 0 ? 0 : Math.min(1, (double) errors / Math.max(1, completed));
    }
}

package io.ballast.core.pool;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import java.util.List;

/** The statistics of a pool that are exported without further processing. */
public final class PoolStatistics {

    /** Requests that left the queue without a backend, by cause. */
    public static final List<PoolCounter> QUEUE_FAILURES =
            List.of(PoolCounter.QUEUE_TIMEOUTS, PoolCounter.QUEUE_REFUSED, PoolCounter.QUEUE_LEFT);

    /** The statistics that are exported as they are counted, in the order of the metrics and of the API. */
    public static final List<Statistic<Pool>> ALL = List.of(
            Statistic.ofValue(
                    Metric.gauge("ballast.pool.queue", "Requests that currently wait for a backend", "pool"),
                    Pool::waitingRequests),
            Statistic.ofValue(
                    Metric.counter("ballast.pool.queued", "Requests that had to wait for a backend", "pool"),
                    pool -> pool.counters().sum(PoolCounter.QUEUED)),
            Statistic.ofCounters(
                    Metric.counter(
                            "ballast.pool.queue.failures",
                            "Requests that left the queue without a backend, by kind: timeout, full (the queue had no"
                                    + " room), client_gone",
                            "pool",
                            "kind"),
                    QUEUE_FAILURES,
                    (pool, counter) -> pool.counters().sum(counter)),
            Statistic.ofValue(
                    Metric.counter(
                            "ballast.pool.retries.refused",
                            "Retries that were not made because the retry budget was spent",
                            "pool"),
                    "retries_refused",
                    pool -> pool.counters().sum(PoolCounter.RETRIES_REFUSED)));

    private PoolStatistics() {}
}

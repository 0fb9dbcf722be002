package io.ballast.core.pool;

import io.ballast.core.stats.LabelledCounter;

/** The counters of a pool. The label is the metric's label value and the name in the API. */
public enum PoolCounter implements LabelledCounter {
    /**
     * Completed client requests to the pool. Each request counts once, regardless of the number of backends
     * tried.
     */
    REQUESTS("requests"),
    /** Requests that failed without a client error: aborted, or answered with a 5xx by Ballast or a backend. */
    ERRORS("errors"),
    /** Requests that had to wait for a backend. */
    QUEUED("queued"),
    /** Requests that waited for a backend until the timeout. */
    QUEUE_TIMEOUTS("timeout"),
    /** Requests that were rejected because the queue was full. */
    QUEUE_REFUSED("full"),
    /** Requests whose client disconnected while they waited for a backend. */
    QUEUE_LEFT("client_gone"),
    /** Requests that were not retried because too many other requests were retried. */
    RETRIES_REFUSED("retries_refused");

    private final String label;

    PoolCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}

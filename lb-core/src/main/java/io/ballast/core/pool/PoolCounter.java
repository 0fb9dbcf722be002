package io.ballast.core.pool;

/** The counters of a pool. The label is the metric's label value and the name in the API. */
public enum PoolCounter {
    /** Clients' requests that went to the pool and are over: one each, however many backends were tried. */
    REQUESTS("requests"),
    /** Requests that failed without a fault of the client: answered with a 5xx by Ballast or a backend, or aborted. */
    ERRORS("errors"),
    /** Requests that had to wait for a backend. */
    QUEUED("queued"),
    /** Requests that waited until the timeout. */
    QUEUE_TIMEOUTS("timeout"),
    /** Requests that were rejected because the queue was full. */
    QUEUE_REFUSED("full"),
    /** Requests whose client disconnected while they waited. */
    QUEUE_LEFT("client_gone"),
    /** Requests that were not sent again because too many others were. */
    RETRIES_REFUSED("retries_refused");

    private final String label;

    PoolCounter(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}

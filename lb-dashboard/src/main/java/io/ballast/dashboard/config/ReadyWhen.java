package io.ballast.dashboard.config;

/** The condition for readiness, which applies from the end of startup until the process drains. */
public enum ReadyWhen {
    /**
     * Each listener has at least one pool with a usable backend, or only routes without pools. The pool that
     * resolves names for which there is no zone or route must also have a usable backend.
     */
    EVERY_LISTENER,
    /** Each pool has a usable backend. */
    EVERY_POOL,
    /** No further condition: the process is ready regardless of the state of the backends. */
    STARTED
}

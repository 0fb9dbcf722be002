package io.ballast.dashboard.config;

/** The condition for readiness, which applies from the end of startup until the process drains. */
public enum ReadyWhen {
    /**
     * Each listener has at least one pool with a usable backend, or only routes without pools. The pool that
     * resolves the names without a zone or a route also has a usable backend.
     */
    EVERY_LISTENER,
    /** Each pool has a usable backend. */
    EVERY_POOL,
    /** No further conditions: ready regardless of backends. */
    STARTED
}

package io.ballast.dashboard.config;

/** The condition for readiness, from the end of the start until the process drains. */
public enum ReadyWhen {
    /**
     * Each listener has at least one pool with a usable backend, or routes without pools only; and so has the pool
     * whose resolvers are asked for all names that no zone and no route has.
     */
    EVERY_LISTENER,
    /** Each pool has a usable backend. */
    EVERY_POOL,
    /** No further conditions: ready regardless of backends. */
    STARTED
}

package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;

/**
 * Receives check results of a pool's backends beyond the set of usable members: durations, and progress toward a
 * state change. Called on the control plane's thread.
 */
public interface PoolWatcher {

    /**
     * A backend was checked; its health and {@link Backend#minStableTime} are up to date.
     *
     * @return whether {@link #evaluateChecks} must be called, which is done once for several checks
     */
    boolean onCheck(Backend backend, HealthStatus.LastCheck check);

    /** Evaluates the checks so far. */
    void evaluateChecks();
}

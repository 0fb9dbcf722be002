package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;

/**
 * Receives details of check results that do not change the set of usable members: durations, and progress
 * toward a state change. Called on the control plane's thread.
 */
public interface PoolWatcher {

    /**
     * Called after a check of a backend; its health and {@link Backend#minStableTime} are already updated.
     *
     * @return whether the caller must call {@link #evaluateChecks}; one call after several checks is enough
     */
    boolean onCheck(Backend backend, HealthStatus.LastCheck check);

    /** Evaluates the checks received so far. */
    void evaluateChecks();
}

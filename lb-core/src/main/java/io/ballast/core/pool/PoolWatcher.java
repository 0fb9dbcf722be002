package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;

/**
 * Receives check results of a pool's backends beyond the set of usable members: durations, and progress toward a
 * state change. Called on the control plane's thread.
 */
public interface PoolWatcher {

    /**
     * A backend was checked; its health and {@link Backend#stableFor} are up to date.
     *
     * @return whether {@link #settle} must be called, which is done once for several checks
     */
    boolean checked(Backend backend, HealthStatus.LastCheck check);

    /** Evaluates the checks so far. */
    void settle();
}

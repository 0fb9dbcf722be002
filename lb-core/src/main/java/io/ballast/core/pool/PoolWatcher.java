package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;

/**
 * Follows what the checks of a pool's backends say, beyond who takes traffic: how long they took, and how far a backend
 * is from changing its state. Called on the control plane's thread.
 */
public interface PoolWatcher {

    /**
     * A backend was checked; its health and {@link Backend#stableFor} are up to date.
     *
     * @return whether {@link #settle} is to be called, which is once soon for many checks
     */
    boolean checked(Backend backend, HealthStatus.LastCheck check);

    /** Time to draw conclusions from the checks so far. */
    void settle();
}

package io.ballast.core.health;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;

/**
 * A state transition of a backend.
 *
 * @param from the former state
 * @param to the present state; equal only if an override replaced another or ended
 * @param origin the cause
 * @param reason a description
 */
record HealthChange(BackendState from, BackendState to, Origin origin, String reason) {

    /** Whether the backend begins or ceases to take traffic. */
    boolean changesUsability() {
        return from.isUsable() != to.isUsable();
    }
}

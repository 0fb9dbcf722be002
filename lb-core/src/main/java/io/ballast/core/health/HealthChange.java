package io.ballast.core.health;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;

/**
 * A backend's way from one state to another.
 *
 * @param from what it was
 * @param to what it is now; the same only if an order came after another, or ended
 * @param origin who decided
 * @param reason in words
 */
record HealthChange(BackendState from, BackendState to, Origin origin, String reason) {

    /** Whether the backend begins or ceases to take traffic. */
    boolean changesUsability() {
        return from.isUsable() != to.isUsable();
    }
}

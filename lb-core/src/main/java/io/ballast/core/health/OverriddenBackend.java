package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;

/** A backend to which an override applies, and its pool. */
record OverriddenBackend(Pool pool, Backend backend) {

    /** The name of the backend in the timeline. */
    String name() {
        return backend.toString();
    }
}

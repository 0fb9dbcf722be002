package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import org.jspecify.annotations.Nullable;

/** A backend to which an override applies, and its pool. Two are equal if their backends are. */
record OverriddenBackend(Pool pool, Backend backend) {

    /** The name of the backend in the timeline. */
    String name() {
        return backend.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OverriddenBackend that && backend.equals(that.backend);
    }

    @Override
    public int hashCode() {
        return backend.hashCode();
    }
}

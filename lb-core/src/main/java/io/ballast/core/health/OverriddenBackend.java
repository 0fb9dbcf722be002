package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A backend to which an override applies, and its pool. Two instances are equal if their backends are equal. */
record OverriddenBackend(Pool pool, Backend backend) {

    /** Returns the backend of a pool with this address, as written in the configuration. */
    static Optional<OverriddenBackend> find(Pool pool, String address) {
        return pool.members().stream()
                .map(Member::backend)
                .filter(backend -> backend.address().toString().equals(address))
                .findFirst()
                .map(backend -> new OverriddenBackend(pool, backend));
    }

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

    /** Returns whether no other backend of the pool is usable. */
    boolean isLastUsable() {
        List<Backend> usable = pool.members().stream()
                .filter(Member::isUsable)
                .map(Member::backend)
                .toList();
        return usable.equals(List.of(backend));
    }
}

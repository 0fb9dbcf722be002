package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.http.net.Worker;

/**
 * How long one connection to a backend is used. Up to a tenth is taken off its greatest age, drawn at random, so that
 * connections that were made together do not end together. Immutable.
 */
final class Lifetime {

    private final long retireNanos;
    private final long idleNanos;

    /** Begins now. */
    Lifetime(Worker worker, BackendConnections settings) {
        long age = settings.maxAge().toNanos();
        this.retireNanos = worker.now() + age - worker.random().nextLong(age / 10 + 1);
        this.idleNanos = settings.idleTimeout().toNanos();
    }

    /** Whether the connection is too old for another request. */
    boolean isOver(long now) {
        return retireNanos - now <= 0;
    }

    /** Until when the connection is kept if it is not used from {@code now} on. */
    long endIfUnused(long now) {
        return Math.min(now + idleNanos, retireNanos);
    }
}

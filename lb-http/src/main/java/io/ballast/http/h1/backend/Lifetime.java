package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.http.net.Worker;
import java.time.Duration;

/**
 * How long one connection to a backend is used. Up to a tenth is taken off its greatest age, drawn at random, so that
 * connections that were made together do not end together. A backend may say in its responses how long it keeps an unused
 * connection, which is given up before that. Event-loop confined.
 */
final class Lifetime {

    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final long retireNanos;
    private final long idleNanos;
    /** As long as the backend keeps it, less a margin. */
    private long keptNanos = Long.MAX_VALUE;

    /** Begins now. */
    Lifetime(Worker worker, BackendConnections settings) {
        long age = settings.maxAge().toNanos();
        this.retireNanos = worker.now() + age - worker.random().nextLong(age / 10 + 1);
        this.idleNanos = settings.idleTimeout().toNanos();
    }

    /**
     * The backend closes the connection when it was unused for so long. A request that is sent at the last moment would meet
     * the close, so the connection is given up a second earlier, or after half of the time if that is later.
     *
     * @param seconds below 0 if the backend does not say
     */
    void backendKeeps(int seconds) {
        if (seconds < 0) {
            keptNanos = Long.MAX_VALUE;
        } else {
            long nanos = Duration.ofSeconds(seconds).toNanos();
            keptNanos = Math.max(nanos - MARGIN.toNanos(), nanos / 2);
        }
    }

    /** Whether the backend has said that it closes the connection at once. */
    boolean isNotKept() {
        return keptNanos == 0;
    }

    /** Whether the connection is too old for another request. */
    boolean isOver(long now) {
        return retireNanos - now <= 0;
    }

    /** Until when the connection is kept if it is not used from {@code now} on. */
    long endIfUnused(long now) {
        return Math.min(now + Math.min(idleNanos, keptNanos), retireNanos);
    }
}

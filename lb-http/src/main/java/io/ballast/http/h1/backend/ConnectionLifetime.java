package io.ballast.http.h1.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.http.net.Worker;
import java.time.Duration;

/**
 * Determines how long a connection to a backend may be used. The maximum age is reduced at random by up to a
 * tenth, so that connections opened together do not end together. If the backend announces its idle timeout
 * in a response, the connection is closed before that timeout. Event-loop confined.
 */
final class ConnectionLifetime {

    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final long retireNanos;
    private final long idleNanos;
    /** The idle timeout of the backend, minus a margin. */
    private long backendIdleNanos = Long.MAX_VALUE;

    /** Creates the lifetime of a connection that has just been opened. */
    ConnectionLifetime(Worker worker, BackendConnections settings) {
        long age = settings.maxAge().toNanos();
        this.retireNanos = worker.now() + age - worker.random().nextLong(age / 10 + 1);
        this.idleNanos = settings.idleTimeout().toNanos();
    }

    /**
     * Sets the idle timeout announced by the backend. The connection is no longer reused from 1 s before this timeout,
     * or from half of it if that is later. Therefore, no request is sent while the backend closes the connection.
     *
     * @param seconds the timeout; negative if not announced
     */
    void setBackendIdleTimeout(int seconds) {
        if (seconds < 0) {
            backendIdleNanos = Long.MAX_VALUE;
        } else {
            long nanos = Duration.ofSeconds(seconds).toNanos();
            backendIdleNanos = Math.max(nanos - MARGIN.toNanos(), nanos / 2);
        }
    }

    /** Whether the backend has announced an immediate close. */
    boolean isCloseAnnounced() {
        return backendIdleNanos == 0;
    }

    /** Whether the connection is too old for another request. */
    boolean isExpired(long now) {
        return retireNanos - now <= 0;
    }

    /** Returns the time until which the connection is kept if it is not used after {@code now}. */
    long idleEndNanos(long now) {
        return Math.min(now + Math.min(idleNanos, backendIdleNanos), retireNanos);
    }
}

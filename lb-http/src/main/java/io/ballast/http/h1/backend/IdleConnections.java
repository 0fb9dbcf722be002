package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import org.jspecify.annotations.Nullable;

/**
 * The unused connections of one event loop to one backend, newest first: the warm ones are used, the others get old and
 * are closed by their deadlines. A linked list through the connections themselves, so a backend that closes one from
 * the middle costs nothing. Event-loop confined.
 */
final class IdleConnections {

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final @Nullable ConnectionQuota quota;
    private final PendingConnects pending;
    private @Nullable BackendConnection newest;
    private int count;
    private boolean retired;

    /** @param quota what limits the backend's connections over all event loops; null if nothing does */
    IdleConnections(BackendLoop loop, Backend backend, BackendConnections settings, @Nullable ConnectionQuota quota) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.quota = quota;
        this.pending = new PendingConnects(loop, backend, settings, this);
    }

    BackendLoop loop() {
        return loop;
    }

    Backend backend() {
        return backend;
    }

    BackendConnections settings() {
        return settings;
    }

    /** Those that are being made. */
    PendingConnects pending() {
        return pending;
    }

    @Nullable ConnectionQuota quota() {
        return quota;
    }

    @Nullable BackendConnection take() {
        BackendConnection connection = newest;
        if (connection != null) {
            remove(connection);
        }
        return connection;
    }

    /** Keeps a connection, unless there are enough, or another event loop needs one. */
    boolean offer(BackendConnection connection) {
        if (retired || count >= settings.maxIdlePerLoop() || (quota != null && quota.isClaimed())) {
            return false;
        }
        connection.older = newest;
        connection.newer = null;
        if (newest != null) {
            newest.newer = connection;
        }
        newest = connection;
        count++;
        return true;
    }

    void remove(BackendConnection connection) {
        BackendConnection newer = connection.newer;
        BackendConnection older = connection.older;
        if (newer != null) {
            newer.older = older;
        } else {
            newest = older;
        }
        if (older != null) {
            older.newer = newer;
        }
        connection.newer = null;
        connection.older = null;
        count--;
    }

    /** The one that was used last. */
    @Nullable BackendConnection newest() {
        return newest;
    }

    /** Keeps none any more: the backend is gone, or connections to it are made otherwise now. */
    void retire() {
        retired = true;
        closeAll();
    }

    /** Whether it keeps none. */
    boolean isRetired() {
        return retired;
    }

    void closeAll() {
        BackendConnection connection = newest;
        while (connection != null) {
            BackendConnection older = connection.older;
            connection.close();
            connection = older;
        }
    }

    int count() {
        return count;
    }
}

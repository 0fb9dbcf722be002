package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import org.jspecify.annotations.Nullable;

/**
 * The unused connections of one event loop to one backend, newest first. The newest connections are reused;
 * the other connections are closed when their deadlines expire. The list is an intrusive linked list, so
 * that removal from the middle has constant cost. Event-loop confined.
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

    /** @param quota the connection limit shared by all event loops; null for none */
    IdleConnections(BackendLoop loop, Backend backend, BackendConnections settings, @Nullable ConnectionQuota quota) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.quota = quota;
        this.pending = new PendingConnects(loop, backend, settings, this, quota);
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

    /** Returns the connects in progress. */
    PendingConnects pending() {
        return pending;
    }

    @Nullable ConnectionQuota quota() {
        return quota;
    }

    @Nullable BackendConnection poll() {
        BackendConnection connection = newest;
        if (connection != null) {
            remove(connection);
        }
        return connection;
    }

    /** Adds a connection; false if the pool is full or retired, or if an attempt waits for a permit. */
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

    /** The most recently used connection. */
    @Nullable BackendConnection newest() {
        return newest;
    }

    /**
     * Closes all connections and accepts no more connections, because the backend was removed or its connection
     * settings changed.
     */
    void retire() {
        retired = true;
        closeAll();
    }

    /** Whether this pool accepts no further connections. */
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

package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.connect.NoConnectionTimer;
import io.ballast.http.connect.SlotQueue;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pipelined connections of one event loop to one backend. While the process has no free file descriptor, exchanges
 * wait in a queue for a slot. Event-loop confined.
 */
final class PipelinedConnections implements SlotQueue.Connections {

    /** Time for which pipelining is disabled for a backend that closed a connection after its first response. */
    private static final Duration DISABLED_DURATION = Duration.ofMinutes(1);

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<PipelinedConnection> connections = new ArrayList<>();
    /** Attempts that wait for a slot while the process is short of file descriptors. */
    private final SlotQueue waiting;

    private final NoConnectionTimer noConnection = new NoConnectionTimer();

    private boolean retired;
    private boolean disabled;
    private long disabledUntilNanos;

    PipelinedConnections(BackendLoop loop, Backend backend, BackendConnections settings) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.waiting = new SlotQueue(loop.worker, backend, settings, this, noConnection);
    }

    Backend backend() {
        return backend;
    }

    /** Whether connections are closed as soon as they are unused. */
    boolean isRetired() {
        return retired;
    }

    /**
     * Closes each connection as soon as it is unused, because the backend was removed or has new connection
     * settings.
     */
    void retire() {
        retired = true;
        closeIdle();
    }

    /** Whether pipelining is currently enabled for the backend. */
    boolean isEnabled() {
        if (disabled && disabledUntilNanos - loop.worker.now() <= 0) {
            disabled = false;
        }
        return !disabled;
    }

    void disable() {
        disabled = true;
        disabledUntilNanos = loop.worker.now() + DISABLED_DURATION.toNanos();
    }

    /**
     * Returns a slot on the least loaded connection, or opens a new connection if all are full. Returns null if
     * the exchange has to wait for a connection or a slot.
     */
    @Nullable BackendSide open(Exchange exchange) {
        if (waiting.isEmpty()) { // an exchange must not overtake waiting attempts
            PipelinedConnection connection = leastLoaded();
            if (connection == null && !loop.worker.descriptors().isShort()) {
                connection = connect();
            }
            if (connection != null) {
                return connection.open(exchange);
            }
        }
        waiting.add(exchange.ticket());
        return null;
    }

    /** Opens a connection; null if no file descriptor is free. */
    private @Nullable PipelinedConnection connect() {
        PipelinedConnection made = new PipelinedConnection(loop, backend, settings, this, settings.pipelining());
        if (!BackendConnector.connect(
                loop.worker, loop.security(backend), backend, settings, made, made.reads, made::connectDone)) {
            return null;
        }
        connections.add(made);
        noConnection.reset();
        return made;
    }

    // ---- while the process is short of file descriptors

    @Override
    public boolean hasConnection() {
        return !connections.isEmpty();
    }

    @Override
    public boolean mayFreeDescriptor() {
        return hasConnection();
    }

    @Override
    public AttemptTicket.@Nullable Binder findSlot() {
        PipelinedConnection connection = leastLoaded();
        return connection == null ? null : connection::open;
    }

    @Override
    public boolean connect(AttemptTicket ticket) {
        PipelinedConnection made = connect();
        if (made == null) {
            return false;
        }
        made.await(ticket);
        return true;
    }

    @Override
    public void queueEmptied() {}

    /** Called when a connection may have a free slot. */
    void slotFreed() {
        waiting.slotFreed();
    }

    /**
     * Closes one connection that serves no exchange; false if there is no such connection, or if attempts wait for a
     * slot.
     */
    boolean closeOneUnused() {
        if (waiting.isEmpty()) {
            for (PipelinedConnection connection : connections) {
                if (connection.load() == 0) {
                    connection.close();
                    return true;
                }
            }
        }
        return false;
    }

    private @Nullable PipelinedConnection leastLoaded() {
        PipelinedConnection best = null;
        for (int i = 0; i < connections.size(); i++) {
            PipelinedConnection candidate = connections.get(i);
            if (candidate.hasCapacity() && (best == null || candidate.load() < best.load())) {
                best = candidate;
            }
        }
        return best;
    }

    void remove(PipelinedConnection connection) {
        connections.remove(connection);
    }

    /** Closes all connections that serve no exchange. */
    void closeIdle() {
        for (PipelinedConnection connection : List.copyOf(connections)) {
            if (connection.load() == 0) {
                connection.close();
            }
        }
    }
}

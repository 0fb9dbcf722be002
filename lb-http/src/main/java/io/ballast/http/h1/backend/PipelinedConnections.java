package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.connect.BackendConnector;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pipelined connections of one event loop to one backend. Event-loop confined. */
final class PipelinedConnections {

    /** Time for which pipelining is disabled for a backend that closed a connection after its first response. */
    private static final Duration DISABLED_DURATION = Duration.ofMinutes(1);

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<PipelinedConnection> connections = new ArrayList<>();
    private boolean retired;
    private boolean disabled;
    private long disabledUntilNanos;

    PipelinedConnections(BackendLoop loop, Backend backend, BackendConnections settings) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
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
     * the chosen connection is not open yet; the exchange then waits for it.
     */
    @Nullable BackendSide open(Exchange exchange) {
        PipelinedConnection connection = leastLoaded();
        if (connection != null) {
            return connection.open(exchange);
        }
        PipelinedConnection made = new PipelinedConnection(loop, backend, settings, this, settings.pipelining());
        connections.add(made);
        BackendSide none = made.open(exchange);
        BackendConnector.connect(
                loop.worker, loop.security(backend), backend, settings, made, made.reads, made::connectDone);
        return none;
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

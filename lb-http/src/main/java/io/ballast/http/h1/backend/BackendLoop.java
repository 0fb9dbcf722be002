package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionAdopter;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.head.HeadBytes;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.BackendIdentitySet;
import io.ballast.http.net.BackendSecurity;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/1.1 backend state of one event loop: the connections, and a scanner that parses one head at a
 * time. Event-loop confined.
 */
public final class BackendLoop implements ConnectionSource, ConnectionAdopter {

    final Worker worker;
    final HeadBytes responseBytes = new HeadBytes();
    final ResponseScanner response = new ResponseScanner();

    /** Connections that are discarding the rest of an unwanted response. */
    private final Set<BackendConnection> discarding = new HashSet<>();

    /** Backends that negotiated HTTP/2 but do not support WebSockets over HTTP/2 (RFC 8441). */
    private final BackendIdentitySet backendsWithoutTunnels = new BackendIdentitySet();

    private final PoolTls tls;
    private @Nullable ConnectionQuotas quotas;
    private @Nullable ConnectionAdopter http2Adopter;
    private @Nullable PipelinedConnections[] pipelined = new @Nullable PipelinedConnections[0];
    private @Nullable IdleConnections[] idle = new @Nullable IdleConnections[16];
    /** The index of the backend whose unused connection {@link #closeOneUnused} closed last. */
    private int lastClosed;

    public BackendLoop(Worker worker, PoolTls tls) {
        this.worker = worker;
        this.tls = tls;
    }

    /** Returns the TLS settings of connections to a backend. */
    BackendSecurity security(Backend backend) {
        return tls.of(backend);
    }

    /**
     * Returns the TLS settings of connections for upgrade requests. They offer only HTTP/1.1, even if the backend may
     * usually choose its HTTP version.
     */
    BackendSecurity securityOfUpgrades(Backend backend) {
        return tls.ofUpgrades(backend);
    }

    /**
     * Whether the upgrade request of {@code ticket} needs an HTTP/1.1 connection, even if the backend would otherwise
     * choose HTTP/2.
     */
    boolean needsHttp1(Backend backend, BackendConnections settings, AttemptTicket ticket) {
        return settings.protocol() == BackendProtocol.AUTO
                && ticket.isValid()
                && ticket.isUpgradeRequest()
                && (!ticket.isWebSocketRequest() || backendsWithoutTunnels.contains(backend));
    }

    /**
     * Opens an HTTP/1.1 connection for a WebSocket request to a backend that may choose its HTTP version, but
     * does not support WebSockets over HTTP/2. Later WebSocket requests to this backend use HTTP/1.1 as well.
     */
    public @Nullable BackendSide openHttp1WebSocket(
            Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        backendsWithoutTunnels.add(backend);
        return open(backend, settings, fresh, exchange);
    }

    /** The index of the event loop, used for counter shards. */
    public int index() {
        return worker.index();
    }

    @Override
    public @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        if (settings.pipelining() > 1
                && settings.protocol() == BackendProtocol.HTTP1
                && settings.maxConnections() == 0
                && settings.reusesConnections()
                && !fresh
                && !backend.isRemoved()
                && exchange.request().isPipelinable()) {
            PipelinedConnections lines = pipelined(backend, settings);
            if (lines.isEnabled()) {
                return lines.open(exchange);
            }
        }
        IdleConnections unused = idle(backend, settings);
        BackendConnection reusable = fresh || unused.pending().hasWaitingAttempts() ? null : unused.poll();
        if (reusable != null) {
            return reusable.serve(exchange);
        }
        unused.pending().open(exchange.ticket(), fresh);
        return null;
    }

    @Override
    public void adopt(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            @Nullable AttemptTicket waiting) {
        BackendConnection.adopt(
                retired ? newRetiredPool(backend, settings) : idle(backend, settings), channel, reads, waiting);
    }

    /** Sets the object that takes over connections on which a backend negotiated HTTP/2. */
    public void http2Adopter(ConnectionAdopter adopter) {
        http2Adopter = adopter;
    }

    void handOverToHttp2(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            @Nullable AttemptTicket waiting) {
        requireNonNull(http2Adopter).adopt(backend, settings, retired, channel, reads, waiting);
    }

    void discarding(BackendConnection connection, boolean on) {
        if (on) {
            discarding.add(connection);
        } else {
            discarding.remove(connection);
        }
    }

    /** Closes one unused connection to a backend; false if there is none. */
    boolean closeOneIdle(Backend backend) {
        IdleConnections known = backend.id() < idle.length ? idle[backend.id()] : null;
        BackendConnection unused = known == null || known.backend() != backend ? null : known.newest();
        if (unused == null) {
            return false;
        }
        unused.close();
        return true;
    }

    /**
     * Closes one unused connection that no attempt waits for; false if there is none. Consecutive calls close
     * connections to different backends if possible. Cost: linear in the number of backends.
     */
    public boolean closeOneUnused() {
        for (int i = 1; i <= idle.length; i++) {
            int id = (lastClosed + i) % idle.length;
            IdleConnections known = idle[id];
            BackendConnection unused = known == null || known.pending().hasWaitingAttempts() ? null : known.newest();
            if (unused != null) {
                lastClosed = id;
                unused.close();
                return true;
            }
        }
        for (PipelinedConnections lines : pipelined) {
            if (lines != null && lines.closeOneUnused()) {
                return true;
            }
        }
        return false;
    }

    /** Sets the connection quotas shared with other event loops. */
    void quotas(ConnectionQuotas shared) {
        quotas = shared;
    }

    private PipelinedConnections pipelined(Backend backend, BackendConnections settings) {
        int id = backend.id();
        if (id >= pipelined.length) {
            pipelined = Arrays.copyOf(pipelined, Math.max(pipelined.length * 2, id + 1));
        }
        PipelinedConnections lines = pipelined[id];
        if (lines == null || lines.backend() != backend) {
            retire(lines);
            lines = new PipelinedConnections(this, backend, settings);
            pipelined[id] = lines;
        }
        return lines;
    }

    IdleConnections idle(Backend backend, BackendConnections settings) {
        int id = backend.id();
        if (id >= idle.length) {
            idle = Arrays.copyOf(idle, Math.max(idle.length * 2, id + 1));
        }
        IdleConnections connections = idle[id];
        if (connections == null || connections.backend() != backend) {
            if (backend.isRemoved()) {
                return newRetiredPool(backend, settings);
            }
            retire(connections);
            ConnectionQuota quota = settings.maxConnections() == 0
                    ? null
                    : requireNonNull(quotas).acquire(backend, settings);
            connections = new IdleConnections(this, backend, settings, quota);
            idle[id] = connections;
        }
        return connections;
    }

    /**
     * Creates a pool that never keeps connections. It needs no quota: each connection serves one exchange, and the
     * number of exchanges with the backend has the same limit.
     */
    private IdleConnections newRetiredPool(Backend backend, BackendConnections settings) {
        IdleConnections connections = new IdleConnections(this, backend, settings, /* quota= */ null);
        connections.retire();
        return connections;
    }

    /**
     * Stops reusing the existing connections to a backend that was removed or has new settings. Connections
     * in use close after their exchange.
     */
    public void retire(Backend backend) {
        backendsWithoutTunnels.remove(backend);
        int id = backend.id();
        if (id < idle.length && idle[id] != null && idle[id].backend() == backend) {
            retire(idle[id]);
            idle[id] = null;
        }
        if (id < pipelined.length && pipelined[id] != null && pipelined[id].backend() == backend) {
            retire(pipelined[id]);
            pipelined[id] = null;
        }
    }

    private void retire(@Nullable IdleConnections connections) {
        if (connections != null) {
            connections.retire();
            ConnectionQuota quota = connections.quota();
            if (quota != null) {
                requireNonNull(quotas).release(quota);
            }
        }
    }

    private static void retire(@Nullable PipelinedConnections connections) {
        if (connections != null) {
            connections.retire();
        }
    }

    /** Closes all unused connections to backends. */
    public void closeIdle() {
        List.copyOf(discarding).forEach(BackendConnection::close);
        for (IdleConnections connections : idle) {
            if (connections != null) {
                connections.closeAll();
            }
        }
        for (PipelinedConnections lines : pipelined) {
            if (lines != null) {
                lines.closeIdle();
            }
        }
    }
}

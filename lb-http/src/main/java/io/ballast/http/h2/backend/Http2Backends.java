package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionAdopter;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.BackendIdentitySet;
import io.ballast.http.net.BackendSecurity;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The connections of one event loop to HTTP/2 backends, and objects that they share. Event-loop confined. */
public final class Http2Backends implements ConnectionSource, ConnectionAdopter {

    final Worker worker;
    private final PoolTls tls;
    final RequestScanner request = new RequestScanner();
    final ResponseScanner response = new ResponseScanner();
    final Http1ResponseHeadBuilder head = new Http1ResponseHeadBuilder();
    final HeaderBlock block = new HeaderBlock();
    private final ConnectionSource http1;
    private final ConnectionSource http1WebSocketSource;
    private final ConnectionAdopter http1Adopter;
    /** Backends that selected HTTP/1.1 for their most recent connection. */
    private final BackendIdentitySet http1Backends = new BackendIdentitySet();

    final byte[] copied = new byte[FrameOutput.COPIED_BYTES];
    private byte[] bytes = new byte[8 * 1024];
    private @Nullable StreamSource[] sources = new @Nullable StreamSource[16];

    /**
     * Creates the manager of an event loop's HTTP/2 connections to backends.
     *
     * @param tls the TLS settings of backend connections
     * @param http1 the source of connections to backends that select HTTP/1.1
     * @param insteadOfTunnels the source of HTTP/1.1 connections for WebSocket requests to backends that do not support
     *     WebSockets over HTTP/2
     * @param http1Taker takes over connections for which HTTP/1.1 was selected
     */
    public Http2Backends(
            Worker worker,
            PoolTls tls,
            ConnectionSource http1,
            ConnectionSource insteadOfTunnels,
            ConnectionAdopter http1Taker) {
        this.http1 = http1;
        this.http1WebSocketSource = insteadOfTunnels;
        this.http1Adopter = http1Taker;
        this.worker = worker;
        this.tls = tls;
    }

    @Override
    public @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        return source(backend, settings).open(exchange, fresh);
    }

    /**
     * Opens a stream to a backend that selects HTTP/2 or HTTP/1.1 by ALPN. Exchanges wait for the first connection
     * together, and share it while it has capacity. New connections use the protocol that the backend selected last.
     * Upgrade requests use HTTP/1.1, unless the backend selects HTTP/2 on the connection that was opened for the
     * request.
     */
    public @Nullable BackendSide openNegotiated(
            Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        if (!backend.isSecured()
                || exchange.request().upgrade() != null
                || (http1Backends.contains(backend)
                        && !source(backend, settings).hasCapacity(exchange))) {
            return http1.open(backend, settings, fresh, exchange);
        }
        return open(backend, settings, fresh, exchange);
    }

    @Override
    public void adopt(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            @Nullable AttemptTicket waiting) {
        http1Backends.remove(backend);
        (retired ? newRetiredSource(backend, settings) : source(backend, settings)).adopt(channel, reads, waiting);
    }

    /**
     * Handles a connection for which HTTP/1.1 was selected. The first waiting exchange gets the connection, and
     * each of the other exchanges opens its own connection.
     */
    void handOverToHttp1(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            PendingAttempts waiters) {
        http1Backends.add(backend);
        http1Adopter.adopt(backend, settings, retired, channel, reads, waiters.next());
        for (AttemptTicket next = waiters.next(); next != null; next = waiters.next()) {
            // Some of the waiting exchanges may need a fresh connection.
            next.connect(exchange -> http1.open(backend, settings, /* fresh= */ true, exchange));
        }
    }

    /**
     * Opens an HTTP/1.1 connection for a WebSocket request to a backend that does not support WebSockets over HTTP/2.
     */
    @Nullable BackendSide openHttp1WebSocket(Backend backend, BackendConnections settings, Exchange exchange) {
        return http1WebSocketSource.open(backend, settings, /* fresh= */ false, exchange);
    }

    private StreamSource source(Backend backend, BackendConnections settings) {
        int id = backend.id();
        if (id >= sources.length) {
            sources = Arrays.copyOf(sources, Math.max(sources.length * 2, id + 1));
        }
        StreamSource source = sources[id];
        if (source == null || source.backend() != backend) {
            if (backend.isRemoved()) {
                return newRetiredSource(backend, settings);
            }
            if (source != null) {
                source.retire();
            }
            source = newSource(backend, settings);
            sources[id] = source;
        }
        return source;
    }

    private StreamSource newSource(Backend backend, BackendConnections settings) {
        return settings.sendsProxyHeader()
                ? new PerClientHttp2Pools(this, backend, settings)
                : new Http2BackendPool(this, backend, settings);
    }

    /** Returns a retired source, whose connections close as soon as they have no exchanges. */
    private StreamSource newRetiredSource(Backend backend, BackendConnections settings) {
        StreamSource source = newSource(backend, settings);
        source.retire();
        return source;
    }

    BackendSecurity security(Backend backend) {
        return tls.of(backend);
    }

    /** Returns a temporary array of at least {@code length} bytes. */
    byte[] bytes(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return bytes;
    }

    /** Retires all connections to a backend; see {@link StreamSource#retire}. */
    public void retire(Backend backend) {
        int id = backend.id();
        StreamSource source = id < sources.length ? sources[id] : null;
        if (source != null && source.backend() == backend) {
            source.retire();
            sources[id] = null;
        }
        http1Backends.remove(backend);
    }

    /** Closes one idle connection to any backend; false if there is none. Cost: linear in the number of backends. */
    public boolean closeOneIdle() {
        for (StreamSource source : sources) {
            if (source != null && source.closeOneIdle()) {
                return true;
            }
        }
        return false;
    }

    /** Closes all idle connections. */
    public void closeIdle() {
        for (StreamSource source : sources) {
            if (source != null) {
                source.closeIdle();
            }
        }
    }
}

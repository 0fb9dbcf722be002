package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.ConnectionTaker;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.BackendIdentitySet;
import io.ballast.http.net.BackendSecurity;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.budget.BudgetedReads;
import io.netty.channel.Channel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to backends that speak HTTP/2, and what they need once on each loop. Event-loop
 * confined.
 */
public final class Http2Backends implements ConnectionSource, ConnectionTaker {

    final Worker worker;
    private final PoolTls tls;
    final RequestScanner request = new RequestScanner();
    final ResponseScanner response = new ResponseScanner();
    final ResponseHeadText head = new ResponseHeadText();
    final HeaderBlock block = new HeaderBlock();
    private final ConnectionSource http1;
    private final ConnectionSource insteadOfTunnels;
    private final ConnectionTaker http1Taker;
    /** Those that chose HTTP/1.1 last. */
    private final BackendIdentitySet speakHttp1 = new BackendIdentitySet();

    final byte[] copied = new byte[FrameOutput.COPIED_BYTES];
    private byte[] bytes = new byte[8 * 1024];
    private @Nullable StreamSource[] sources = new @Nullable StreamSource[16];

    /**
     * @param tls by which connections are made
     * @param http1 where connections of HTTP/1.1 come from, for pools whose backends choose
     * @param insteadOfTunnels where those come from for WebSockets that such a backend does not allow in HTTP/2
     * @param http1Taker who takes those over on which they chose it
     */
    public Http2Backends(
            Worker worker,
            PoolTls tls,
            ConnectionSource http1,
            ConnectionSource insteadOfTunnels,
            ConnectionTaker http1Taker) {
        this.http1 = http1;
        this.insteadOfTunnels = insteadOfTunnels;
        this.http1Taker = http1Taker;
        this.worker = worker;
        this.tls = tls;
    }

    @Override
    public @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        return source(backend, settings).open(exchange, fresh);
    }

    /**
     * The same for a pool whose backends choose between HTTP/2 and HTTP/1.1 when a connection is made. Those that wait for the
     * first one, or find room, share it; what else is opened is what the backend chose last. A wish to upgrade goes to where it
     * may be granted, if the backend chooses so.
     */
    public @Nullable BackendSide openChosen(
            Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        if (!backend.isSecured()
                || exchange.upgrade() != null
                || (speakHttp1.contains(backend) && !source(backend, settings).hasRoom(exchange))) {
            return http1.open(backend, settings, fresh, exchange);
        }
        return open(backend, settings, fresh, exchange);
    }

    @Override
    public void take(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedReads reads,
            @Nullable AttemptTicket waiting) {
        speakHttp1.remove(backend);
        (retired ? retired(backend, settings) : source(backend, settings)).take(channel, reads, waiting);
    }

    /** The first of those that wait gets the connection, the others get one each. */
    void choseHttp1(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedReads reads,
            WaitingExchanges waiters) {
        speakHttp1.add(backend);
        http1Taker.take(backend, settings, retired, channel, reads, waiters.next());
        for (AttemptTicket next = waiters.next(); next != null; next = waiters.next()) {
            // Some of them may have asked for a fresh connection.
            next.connect(exchange -> http1.open(backend, settings, /* fresh= */ true, exchange));
        }
    }

    /** Opens a connection of HTTP/1.1 for a WebSocket that the backend does not allow in HTTP/2. */
    @Nullable BackendSide insteadOfTunnel(Backend backend, BackendConnections settings, Exchange exchange) {
        return insteadOfTunnels.open(backend, settings, /* fresh= */ false, exchange);
    }

    private StreamSource source(Backend backend, BackendConnections settings) {
        int id = backend.id();
        if (id >= sources.length) {
            sources = Arrays.copyOf(sources, Math.max(sources.length * 2, id + 1));
        }
        StreamSource source = sources[id];
        if (source == null || source.backend() != backend) {
            if (backend.hasLeft()) {
                return retired(backend, settings);
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
                ? new PerClientConnections(this, backend, settings)
                : new BackendConnectionList(this, backend, settings);
    }

    /** For connections of which none is kept. */
    private StreamSource retired(Backend backend, BackendConnections settings) {
        StreamSource source = newSource(backend, settings);
        source.retire();
        return source;
    }

    BackendSecurity security(Backend backend) {
        return tls.of(backend);
    }

    /** An array of at least that many octets, for a moment's use. */
    byte[] bytes(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return bytes;
    }

    /** Uses no connection to a backend again that there is now; see {@link StreamSource#retire}. */
    public void retire(Backend backend) {
        int id = backend.id();
        StreamSource source = id < sources.length ? sources[id] : null;
        if (source != null && source.backend() == backend) {
            source.retire();
            sources[id] = null;
        }
        speakHttp1.remove(backend);
    }

    /** Closes every connection that no exchange uses. */
    public void closeIdle() {
        for (StreamSource source : sources) {
            if (source != null) {
                source.closeIdle();
            }
        }
    }
}

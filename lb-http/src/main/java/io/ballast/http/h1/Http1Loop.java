package io.ballast.http.h1;

import io.ballast.core.backend.Backend;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.backend.BackendLoop;
import io.ballast.http.h1.backend.ConnectionQuotas;
import io.ballast.http.h1.client.ClientConnection;
import io.ballast.http.h1.client.ClientLoop;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.util.Collection;

/** HTTP/1.1 on one event loop, for clients and backends. Event-loop confined. */
public final class Http1Loop {

    private final Worker worker;
    private final ClientLoop clients;
    private final BackendLoop backends;
    private final ConnectionSource source;

    /**
     * Creates the HTTP/1.1 state of an event loop.
     *
     * @param source opens the connections for clients' exchanges; may differ from {@link #backends}
     * @param tls the TLS settings of backend connections
     */
    public Http1Loop(Worker worker, ConnectionSource source, PoolTls tls) {
        this.source = source;
        this.worker = worker;
        this.clients = new ClientLoop(worker);
        this.backends = new BackendLoop(worker, tls);
    }

    /**
     * Makes these event loops share their limits on backend connections. Called before any loop serves requests.
     */
    public static void shareQuotas(Collection<Http1Loop> loops) {
        ConnectionQuotas.share(loops.stream().map(loop -> loop.backends).toList());
    }

    /** The worker of this event loop. */
    public Worker worker() {
        return worker;
    }

    /** The index of the event loop, used for counter shards. */
    public int index() {
        return worker.index();
    }

    /** Creates the handler of a client connection, to be added last in the pipeline of {@code channel}. */
    public ClientConnection newConnection(
            Listener listener, ConnectionSettings settings, Channel channel, SocketAddress peer, SocketAddress local) {
        return new ClientConnection(clients, source, listener, settings, channel, peer, local);
    }

    /** The HTTP/1.1 connections to backends. */
    public BackendLoop backends() {
        return backends;
    }

    /** Stops reusing the existing connections to a backend. */
    public void retire(Backend backend) {
        backends.retire(backend);
    }

    /** Closes all unused connections to backends. */
    public void closeIdle() {
        backends.closeIdle();
    }
}

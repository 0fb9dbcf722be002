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

/** HTTP/1.1 on one event loop: the side of the clients and the side of the backends. Event-loop confined. */
public final class Http1Loop {

    private final Worker worker;
    private final ClientLoop clients;
    private final BackendLoop backends;
    private final ConnectionSource source;

    /**
     * @param source where the clients' exchanges get their connections from, which may be other ones than {@link #backends}
     * @param tls by which connections to backends are made
     */
    public Http1Loop(Worker worker, ConnectionSource source, PoolTls tls) {
        this.source = source;
        this.worker = worker;
        this.clients = new ClientLoop(worker);
        this.backends = new BackendLoop(worker, tls);
    }

    /** Has these event loops keep to common limits of connections to backends. Called before any of them serves. */
    public static void shareQuotas(Collection<Http1Loop> loops) {
        ConnectionQuotas.share(loops.stream().map(loop -> loop.backends).toList());
    }

    /** Its event loop. */
    public Worker worker() {
        return worker;
    }

    /** The number of its event loop, the index of its shards in counters. */
    public int index() {
        return worker.index();
    }

    /** What serves a client's connection; to be the last handler in the pipeline of {@code channel}. */
    public ClientConnection newConnection(
            Listener listener, ConnectionSettings settings, Channel channel, SocketAddress peer, SocketAddress local) {
        return new ClientConnection(clients, source, listener, settings, channel, peer, local);
    }

    /** Where connections to backends come from that speak HTTP/1.1. */
    public BackendLoop backends() {
        return backends;
    }

    /** Uses no connection to a backend again that there is now. */
    public void retire(Backend backend) {
        backends.retire(backend);
    }

    /** Closes every unused connection to a backend. */
    public void closeIdle() {
        backends.closeIdle();
    }
}

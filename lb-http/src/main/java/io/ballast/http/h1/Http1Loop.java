package io.ballast.http.h1;

import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.backend.BackendLoop;
import io.ballast.http.h1.backend.ConnectionQuotas;
import io.ballast.http.h1.client.ClientConnection;
import io.ballast.http.h1.client.ClientLoop;
import io.ballast.http.net.Worker;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Collection;

/** HTTP/1.1 on one event loop: the side of the clients and the side of the backends. Event-loop confined. */
public final class Http1Loop {

    private final Worker worker;
    private final ClientLoop clients;
    private final BackendLoop backends;

    public Http1Loop(Worker worker) {
        this.worker = worker;
        this.clients = new ClientLoop(worker);
        this.backends = new BackendLoop(worker);
    }

    /** Has these event loops keep to common limits of connections to backends. Called before any of them serves. */
    public static void shareQuotas(Collection<Http1Loop> loops) {
        ConnectionQuotas.share(loops.stream().map(loop -> loop.backends).toList());
    }

    /** The number of its event loop, the index of its shards in counters. */
    public int index() {
        return worker.index();
    }

    /** What serves a client's connection; to be the last handler in the pipeline of {@code channel}. */
    public ClientConnection newConnection(
            Listener listener, Channel channel, InetSocketAddress peer, InetSocketAddress local) {
        return new ClientConnection(clients, backends, listener, channel, peer, local);
    }

    /** Closes every unused connection to a backend. */
    public void closeIdle() {
        backends.closeIdle();
    }
}

package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.h1.client.ClientConnection;
import io.ballast.http.h2.backend.Http2Backends;
import io.ballast.http.h2.client.Http2Connection;
import io.ballast.http.h2.client.Http2Loop;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.tls.PlainHttp;
import io.ballast.net.tls.ServerTls;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** HTTP on one event loop, in all of its versions. Event-loop confined. */
final class HttpLoop {

    private final Http1Loop http1;
    private final Http2Loop http2;
    private final Http2Backends http2Backends;

    private final Worker worker;
    private final PlainHttpLog plainHttpLog;

    /** @param tls by which connections to backends are made */
    HttpLoop(Worker worker, PoolTls tls) {
        this.worker = worker;
        this.plainHttpLog = new PlainHttpLog(System::nanoTime);
        this.http1 = new Http1Loop(worker, this::open, tls);
        this.http2Backends = new Http2Backends(
                worker, tls, http1.backends(), http1.backends()::openInsteadOfTunnel, http1.backends());
        http1.backends().http2(http2Backends);
        this.http2 = new Http2Loop(worker, this::open);
    }

    /** Yields a connection to a backend, in the protocol that it speaks. */
    private @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        return switch (settings.protocol()) {
            case HTTP1 -> http1.backends().open(backend, settings, fresh, exchange);
            case H2C, H2 -> http2Backends.open(backend, settings, fresh, exchange);
            case AUTO -> http2Backends.openChosen(backend, settings, fresh, exchange);
        };
    }

    /** Uses no connection to a backend again that there is now. */
    void retire(Backend backend) {
        http1.retire(backend);
        http2Backends.retire(backend);
    }

    /** Cuts what lasts beyond a request and leads to a backend. */
    void cut(Backend backend) {
        worker.sessions().cut(backend);
    }

    /** Closes every connection to a backend that no exchange uses. */
    void closeIdle() {
        http1.closeIdle();
        http2Backends.closeIdle();
    }

    Http1Loop http1() {
        return http1;
    }

    /** The number of its event loop, the index of its shards in counters. */
    int index() {
        return http1.index();
    }

    /**
     * Has a connection served, of which nothing was read yet.
     *
     * @param settings of the listener, which the connection keeps
     * @param client whose connection it is, which a proxy may have told
     */
    void accept(
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local) {
        ServerTls tls = settings.tls();
        if (tls == null) {
            serveDetected(listener, settings, channel, client, local);
            return;
        }
        worker.readsOf(channel);
        TlsAccept handshake = new TlsAccept(
                worker,
                listener,
                settings,
                client,
                (secured, handler) ->
                        agreed(listener, settings, secured, client, local, handler.applicationProtocol()));
        PlainHttp plain = context -> {
            servePlain(listener, settings, channel, client, local, handshake);
            return true;
        };
        channel.pipeline().addLast(tls.newHandler(plain), handshake);
    }

    /** A client sends HTTP without TLS: it is told so, by HTTP. */
    private void servePlain(
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            TlsAccept handshake) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.PLAIN_HTTP);
        plainHttpLog.told(listener.config().name(), client);
        ConnectionSettings plain = requireNonNull(settings.plain());
        channel.pipeline().addLast(http1.newConnection(listener, plain, channel, client, local));
        handshake.handOver();
    }

    /** @param protocol one of {@link ApplicationProtocols#OFFERED}; null if the client named none */
    private void agreed(
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            @Nullable String protocol) {
        channel.pipeline()
                .addLast(
                        ApplicationProtocols.HTTP_2.equals(protocol)
                                ? new Http2Connection(http2, listener, settings, channel, client, local)
                                : http1.newConnection(listener, settings, channel, client, local));
    }

    /** Has a connection served in the version that its first octets show. */
    private void serveDetected(
            Listener listener, ConnectionSettings settings, Channel channel, SocketAddress peer, SocketAddress local) {
        ClientConnection connection = http1.newConnection(listener, settings, channel, peer, local);
        channel.pipeline()
                .addLast(new VersionDetection(
                        connection,
                        () -> new Http2Connection(http2, listener, settings, channel, peer, local).adopted()))
                .addLast(connection);
    }

    /** Lets what runs on a connection come to its end, and then closes it. */
    static void drain(Channel channel) {
        ClientConnection first = channel.pipeline().get(ClientConnection.class);
        if (first != null) {
            first.drain();
        }
        Http2Connection second = channel.pipeline().get(Http2Connection.class);
        if (second != null) {
            second.drain();
        }
    }
}

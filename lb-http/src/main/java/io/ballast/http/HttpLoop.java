package io.ballast.http;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.background.exchange.BackgroundExchanges;
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
import io.ballast.http.h3.client.Http3Connection;
import io.ballast.http.h3.client.Http3Loop;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.net.tls.PlainHttpHandler;
import io.ballast.net.tls.ServerTls;
import io.netty.channel.Channel;
import io.netty.handler.codec.quic.QuicChannel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Handles HTTP/1, HTTP/2 and HTTP/3 on one event loop. Event-loop confined. */
final class HttpLoop {

    private final Http1Loop http1;
    private final Http2Loop http2;
    private final Http2Backends http2Backends;
    private final BackgroundExchanges background;

    /** Created with the first HTTP/3 connection, so that its classes are loaded only if they are needed. */
    private @Nullable Http3Loop http3;

    private final Worker worker;
    private final PlainHttpLog plainHttpLog;

    /**
     * @param tls the TLS settings of backend connections
     * @param background the listener of {@linkplain BackgroundExchanges#listener background requests}
     */
    HttpLoop(Worker worker, PoolTls tls, Listener background) {
        this.worker = worker;
        this.plainHttpLog = new PlainHttpLog(System::nanoTime);
        this.http1 = new Http1Loop(worker, this::open, tls);
        this.http2Backends = new Http2Backends(
                worker, tls, http1.backends(), http1.backends()::openHttp1WebSocket, http1.backends());
        http1.backends().http2Adopter(http2Backends);
        this.http2 = new Http2Loop(worker, this::open);
        this.background = new BackgroundExchanges(worker, this::open, background, BackgroundExchanges.MAX_IN_FLIGHT);
        worker.background(this.background);
        worker.descriptors().closeUnusedBy(() -> http1.backends().closeOneUnused() || http2Backends.closeOneIdle());
    }

    /** Opens a connection to a backend with the backend's protocol. */
    private @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange) {
        return switch (settings.protocol()) {
            case HTTP1 -> http1.backends().open(backend, settings, fresh, exchange);
            case H2C, H2 -> http2Backends.open(backend, settings, fresh, exchange);
            case AUTO -> http2Backends.openNegotiated(backend, settings, fresh, exchange);
        };
    }

    /** Stops reusing the existing connections to a backend. */
    void retire(Backend backend) {
        http1.retire(backend);
        http2Backends.retire(backend);
    }

    /** Closes all tunnels and sessions to a backend. */
    void closeSessions(Backend backend) {
        worker.sessions().terminateSessions(backend);
    }

    /** Ends all background requests, and closes all backend connections that no exchange uses. */
    void close() {
        background.close();
        http1.closeIdle();
        http2Backends.closeIdle();
    }

    Http1Loop http1() {
        return http1;
    }

    /** The index of the event loop, used for counter shards. */
    int index() {
        return http1.index();
    }

    /**
     * Starts serving a connection from which no data has been read yet.
     *
     * @param settings the listener's settings, which the connection keeps
     * @param client the address of the client, possibly from a PROXY header
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
        worker.readAllocatorOf(channel);
        TlsServerHandshake handshake = new TlsServerHandshake(
                worker,
                listener,
                settings,
                client,
                (secured, handler) ->
                        serveNegotiated(listener, settings, secured, client, local, handler.applicationProtocol()));
        PlainHttpHandler plain = context -> {
            servePlain(listener, settings, channel, client, local, handshake);
            return true;
        };
        channel.pipeline().addLast(tls.newHandler(plain), handshake);
    }

    /**
     * Starts serving an HTTP/3 connection whose handshake begins.
     *
     * @param settings the listener's settings, which the connection keeps
     * @param onHandshakeEnd run when the handshake is complete or has failed
     */
    void acceptQuic(Listener listener, ConnectionSettings settings, QuicChannel channel, Runnable onHandshakeEnd) {
        Http3Loop streams = http3;
        if (streams == null) {
            streams = new Http3Loop(worker, this::open);
            http3 = streams;
        }
        channel.pipeline()
                .addLast(new Http3Connection(
                        streams,
                        listener,
                        settings,
                        channel,
                        channel.remoteSocketAddress(),
                        channel.localSocketAddress(),
                        onHandshakeEnd));
    }

    /** Handles plain HTTP on a TLS listener; the response is an error or a redirect. */
    private void servePlain(
            Listener listener,
            ConnectionSettings settings,
            Channel channel,
            SocketAddress client,
            SocketAddress local,
            TlsServerHandshake handshake) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.PLAIN_HTTP);
        plainHttpLog.logClient(listener.config().name(), client);
        ConnectionSettings plain = requireNonNull(settings.plain());
        channel.pipeline().addLast(http1.newConnection(listener, plain, channel, client, local));
        handshake.handOver();
    }

    /** @param protocol one of {@link ApplicationProtocols#OFFERED}; null if none was negotiated */
    private void serveNegotiated(
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

    /** Serves a plain text connection in the HTTP version detected from its first bytes. */
    private void serveDetected(
            Listener listener, ConnectionSettings settings, Channel channel, SocketAddress peer, SocketAddress local) {
        ClientConnection connection = http1.newConnection(listener, settings, channel, peer, local);
        channel.pipeline()
                .addLast(new HttpVersionDetector(
                        connection,
                        () -> new Http2Connection(http2, listener, settings, channel, peer, local).alreadyCounted()))
                .addLast(connection);
    }

    /** Lets the running exchanges of a connection finish, then closes it. */
    static void drain(Channel channel) {
        ClientConnection first = channel.pipeline().get(ClientConnection.class);
        if (first != null) {
            first.drain();
        }
        Http2Connection second = channel.pipeline().get(Http2Connection.class);
        if (second != null) {
            second.drain();
        }
        Http3Connection third = channel.pipeline().get(Http3Connection.class);
        if (third != null) {
            third.drain();
        }
    }
}

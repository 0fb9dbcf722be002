package io.ballast.dashboard.server;

import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.AcceptBackoff;
import io.ballast.net.tls.PlainHttpHandler;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server with its own event loop, so that it does not slow down the event loops of the data
 * plane. Each {@link Endpoint} listens on an address.
 *
 * <p>Thread safety: may be called from any thread. Closing the server drops open connections.
 */
public final class AdminServer implements AutoCloseable {

    /**
     * Maximum time to receive a request, measured from its first byte. For the first request of a connection, the
     * time is measured from the start of the connection.
     */
    static final Duration REQUEST_DEADLINE = Duration.ofSeconds(5);

    static final int IDLE_SECONDS = 75;

    /** Maximum length of a request line in bytes: parameters of maximum length fit even if they are percent-encoded. */
    private static final int MAX_LINE_BYTES = 32 * 1024;

    /** The transport is NIO: it needs no native library, and this server handles few requests. */
    private static final NettyTransport TRANSPORT = NettyTransport.choose(TransportKind.NIO);

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final ChannelGroup openChannels;
    private final List<Endpoint> endpoints = new CopyOnWriteArrayList<>();
    private final Duration requestDeadline;

    public AdminServer() {
        this(REQUEST_DEADLINE);
    }

    /** @param thread the name of the thread of the event loop */
    public AdminServer(String thread) {
        this(thread, REQUEST_DEADLINE);
    }

    AdminServer(Duration requestDeadline) {
        this("dashboard", requestDeadline);
    }

    private AdminServer(String thread, Duration requestDeadline) {
        this.requestDeadline = requestDeadline;
        this.group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory(thread), TRANSPORT.ioHandler().get());
        this.loop = group.next();
        this.openChannels = new DefaultChannelGroup(loop, /* stayClosed= */ true);
    }

    /** The only event loop of this server. */
    public EventLoop loop() {
        return loop;
    }

    /**
     * Adds an endpoint. It does not listen until {@link Endpoint#start}.
     *
     * @param authenticator authenticates requests
     * @param onMove run on the event loop when connected clients should reconnect
     */
    public Endpoint addEndpoint(Router router, Authenticator authenticator, Runnable onMove) {
        return addEndpoint(router, authenticator, onMove, Endpoint.MAX_CONNECTIONS, Endpoint.MAX_PER_ADDRESS);
    }

    /**
     * Like {@link #addEndpoint(Router, Authenticator, Runnable)}, with other limits.
     *
     * @param maxConnections maximum number of connections
     * @param maxPerAddress maximum number of connections of one client address
     */
    public Endpoint addEndpoint(
            Router router, Authenticator authenticator, Runnable onMove, int maxConnections, int maxPerAddress) {
        Endpoint endpoint =
                new Endpoint(this, router, authenticator, onMove, new OpenConnections(maxConnections, maxPerAddress));
        endpoints.add(endpoint);
        return endpoint;
    }

    long requestDeadlineMillis() {
        return requestDeadline.toMillis();
    }

    /**
     * Binds an address and waits for the result. The socket accepts no connections until a read is requested.
     * Must not be called on the event loop.
     */
    ChannelFuture bind(InetSocketAddress address, ChannelInitializer<Channel> connections) {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(TRANSPORT.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(AcceptBackoff.forOperators())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(connections)
                .bind(address)
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            openChannels.add(bound.channel());
        }
        return bound;
    }

    void initialize(Channel channel, ConnectionGuard connection, @Nullable ServerTls tls, Dispatcher dispatcher) {
        channel.pipeline().addLast(connection).addLast(new IdleStateHandler(0, 0, IDLE_SECONDS));
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(PlainHttpHandler.REFUSAL));
        }
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig().setMaxInitialLineLength(MAX_LINE_BYTES)))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new BodyAggregator())
                .addLast(dispatcher);
        openChannels.add(channel);
    }

    /**
     * Closes all channels, the event loop and the endpoints. On JDK 25, a selector releases a closed socket only
     * at its next select. Therefore, all sockets are closed first, and then the loop runs twice more. Otherwise
     * the port would stay bound, and browsers would wait for responses on connections that are never read.
     */
    @Override
    public void close() {
        openChannels.close().awaitUninterruptibly();
        awaitLoopIteration();
        awaitLoopIteration();
        group.shutdownGracefully(/* quietPeriod= */ 0, /* timeout= */ 2, TimeUnit.SECONDS)
                .awaitUninterruptibly(5, TimeUnit.SECONDS);
        endpoints.forEach(Endpoint::close);
    }

    private void awaitLoopIteration() {
        loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}

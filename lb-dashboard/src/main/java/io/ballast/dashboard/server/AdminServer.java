package io.ballast.dashboard.server;

import io.ballast.core.config.TransportKind;
import io.ballast.net.listen.AcceptPause;
import io.ballast.net.tls.PlainHttp;
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
import io.netty.handler.codec.http.HttpObjectAggregator;
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
 * An HTTP/1.1 server with one event loop of its own, so that it never takes time from the loops that serve clients. Its
 * endpoints say where it listens.
 *
 * <p>Thread safety: any thread may call. Closing drops open connections.
 */
public final class AdminServer implements AutoCloseable {

    /** How long a request may take to arrive, from its first octet or, on a new connection, from the beginning. */
    static final Duration REQUEST_DEADLINE = Duration.ofSeconds(5);

    static final int IDLE_SECONDS = 75;

    private static final int MAX_BODY_BYTES = 16 * 1024;

    /** It loads no system library, and few requests come here. */
    private static final NettyTransport TRANSPORT = NettyTransport.choose(TransportKind.NIO);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("dashboard"), TRANSPORT.ioHandler().get());
    private final EventLoop loop = group.next();
    private final ChannelGroup open = new DefaultChannelGroup(loop, /* stayClosed= */ true);
    private final List<Endpoint> endpoints = new CopyOnWriteArrayList<>();
    private final Duration requestDeadline;

    public AdminServer() {
        this(REQUEST_DEADLINE);
    }

    AdminServer(Duration requestDeadline) {
        this.requestDeadline = requestDeadline;
    }

    /** The one event loop. */
    public EventLoop loop() {
        return loop;
    }

    /**
     * Adds an endpoint, which listens nowhere yet.
     *
     * @param gate says who asks
     * @param whenMoved run on the event loop when those who are connected to it should come again
     */
    public Endpoint endpoint(Router router, Gate gate, Runnable whenMoved) {
        Endpoint endpoint = new Endpoint(this, router, gate, whenMoved);
        endpoints.add(endpoint);
        return endpoint;
    }

    long requestMillis() {
        return requestDeadline.toMillis();
    }

    /** Binds an address and returns when that is done. Nothing is taken from it before it reads. Not on the event loop. */
    ChannelFuture bind(InetSocketAddress address, ChannelInitializer<Channel> connections) {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(TRANSPORT.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(AcceptPause.forOperators())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(connections)
                .bind(address)
                .awaitUninterruptibly();
        if (bound.isSuccess()) {
            open.add(bound.channel());
        }
        return bound;
    }

    void initialize(Channel channel, ConnectionGuard connection, @Nullable ServerTls tls, Dispatcher dispatcher) {
        channel.pipeline().addLast(connection).addLast(new IdleStateHandler(0, 0, IDLE_SECONDS));
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(PlainHttp.REFUSAL));
        }
        channel.pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig()))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES, /* closeOnExpectationFailed= */ true))
                .addLast(dispatcher);
        open.add(channel);
    }

    /**
     * Closes everything. The selector lets go of a closed socket when it selects the next time, and not when it is closed
     * itself (JDK 25): so every socket is closed first, and the loop goes round once more. Else the port stays taken, and
     * browsers wait for answers on connections that nobody reads.
     */
    @Override
    public void close() {
        open.close().awaitUninterruptibly();
        goRound();
        goRound();
        group.shutdownGracefully(/* quietPeriod= */ 0, /* timeout= */ 2, TimeUnit.SECONDS)
                .awaitUninterruptibly(5, TimeUnit.SECONDS);
        endpoints.forEach(Endpoint::close);
    }

    private void goRound() {
        loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}

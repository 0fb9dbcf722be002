package io.ballast.dashboard.server;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TransportKind;
import io.ballast.net.listen.AcceptPause;
import io.ballast.net.listen.BindFailure;
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
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 server on a loopback address with one event loop of its own, so that it never takes time from the loops
 * that serve clients.
 *
 * <p>Thread safety: any thread may start and close it. Closing drops open connections.
 */
public final class LoopbackServer implements AutoCloseable {

    /** Most connections, and most from one address. */
    static final int MAX_CONNECTIONS = 256;

    static final int MAX_FROM_ONE_ADDRESS = 192;

    /** How long a request may take to arrive, from its first octet or, on a new connection, from the beginning. */
    static final Duration REQUEST_DEADLINE = Duration.ofSeconds(5);

    /** How many long responses may be on their way: each holds some 100 KiB, compressed ones some 400. */
    static final int MAX_DOCUMENTS = 4;

    static final int IDLE_SECONDS = 75;
    private static final int MAX_BODY_BYTES = 16 * 1024;

    /** It loads no system library, and few requests come here. */
    private static final NettyTransport TRANSPORT = NettyTransport.choose(TransportKind.NIO);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("dashboard"), TRANSPORT.ioHandler().get());
    private final EventLoop loop = group.next();
    private final ChannelGroup open = new DefaultChannelGroup(loop, /* stayClosed= */ true);
    private final InetAddress host;
    private final HostPort bind;
    private final Duration requestDeadline;
    private volatile InetSocketAddress address = new InetSocketAddress(0);

    /**
     * Checks the address without binding it.
     *
     * @throws IllegalArgumentException if it is not a loopback address
     */
    public LoopbackServer(HostPort bind) {
        this(bind, REQUEST_DEADLINE);
    }

    LoopbackServer(HostPort bind, Duration requestDeadline) {
        this.requestDeadline = requestDeadline;
        this.bind = bind;
        this.host = loopback(bind);
    }

    /** The one event loop. */
    public EventLoop loop() {
        return loop;
    }

    /** Binds the address and answers from now on; returns when that is done. */
    public void start(Router router) throws IOException {
        RequestGuard guard = new RequestGuard(bind.host());
        OpenConnections connections = new OpenConnections(MAX_CONNECTIONS, MAX_FROM_ONE_ADDRESS);
        DocumentLimit documents = new DocumentLimit(MAX_DOCUMENTS);
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(TRANSPORT.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(AcceptPause.forOperators())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        ConnectionGuard connection = new ConnectionGuard(connections, requestDeadline.toMillis());
                        initialize(channel, connection, new Dispatcher(router, guard, connection, documents));
                        open.add(channel);
                    }
                })
                .bind(new InetSocketAddress(host, bind.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            BindException failure = BindFailure.at(bind.toString(), bind.port(), bound.cause());
            throw new IOException("dashboard: " + failure.getMessage(), failure);
        }
        open.add(bound.channel());
        address = (InetSocketAddress) bound.channel().localAddress();
    }

    /** Where it listens; the port is the real one when the configuration asked for 0. */
    public InetSocketAddress address() {
        return address;
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
    }

    private void goRound() {
        loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    private static void initialize(Channel channel, ConnectionGuard connection, Dispatcher dispatcher) {
        channel.pipeline()
                .addLast(connection)
                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                .addLast(new HttpServerCodec(new HttpDecoderConfig()))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES, /* closeOnExpectationFailed= */ true))
                .addLast(dispatcher);
    }

    private static InetAddress loopback(HostPort bind) {
        try {
            InetAddress address = InetAddress.getByName(bind.host());
            if (address.isLoopbackAddress()) {
                return address;
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("dashboard.bind: " + bind + " (expected: a name that resolves)", e);
        }
        throw new IllegalArgumentException("dashboard.bind: " + bind
                + " (expected: a loopback address such as 127.0.0.1; the dashboard has no login yet)");
    }
}

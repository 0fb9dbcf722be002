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
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server on a loopback address with one event loop of its own, so that it never takes time from the loops
 * that serve clients. It can move to another address while it runs.
 *
 * <p>Thread safety: any thread may start, move and close it. Closing drops open connections.
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

    /** How long answers under way may take when it listens elsewhere. */
    static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

    private static final int MAX_BODY_BYTES = 16 * 1024;

    /** It loads no system library, and few requests come here. */
    private static final NettyTransport TRANSPORT = NettyTransport.choose(TransportKind.NIO);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("dashboard"), TRANSPORT.ioHandler().get());
    private final EventLoop loop = group.next();
    private final ChannelGroup open = new DefaultChannelGroup(loop, /* stayClosed= */ true);
    private final OpenConnections connections = new OpenConnections(MAX_CONNECTIONS, MAX_FROM_ONE_ADDRESS);
    private final DocumentLimit documents = new DocumentLimit(MAX_DOCUMENTS);
    private final HostPort first;
    private final Duration requestDeadline;
    private volatile Router router = new Router();
    private volatile @Nullable ListeningSocket listening;

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
        this.first = bind;
        InetSocketAddress unused = loopback(bind);
    }

    /** The one event loop. */
    public EventLoop loop() {
        return loop;
    }

    /** Binds the address and answers from now on; returns when that is done. */
    public void start(Router routes) throws IOException {
        router = routes;
        try {
            ListeningSocket socket = bind(first);
            listening = socket;
            socket.accept();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Binds another address, from which nothing is taken before {@link #move}. Not on the event loop.
     *
     * @throws IllegalArgumentException if it is not a loopback address
     * @throws IOException if it cannot be bound
     */
    public ListeningSocket bind(HostPort bind) throws IOException {
        InetSocketAddress wanted = loopback(bind);
        RequestGuard guard = new RequestGuard(bind.host());
        SocketConnections through = new SocketConnections();
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(TRANSPORT.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(AcceptPause.forOperators())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        ConnectionGuard connection = new ConnectionGuard(connections, requestDeadline.toMillis());
                        initialize(channel, connection, new Dispatcher(router, guard, connection, documents));
                        open.add(channel);
                        through.add(channel, connection);
                    }
                })
                .bind(wanted)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            BindException failure = BindFailure.at(bind.toString(), bind.port(), bound.cause());
            throw new IOException("dashboard: " + failure.getMessage(), failure);
        }
        open.add(bound.channel());
        return new ListeningSocket(bound.channel(), bind, guard, through);
    }

    /** Whether it listens where {@code bind} asks for already, perhaps by another name. */
    public boolean listensAt(HostPort bind) {
        ListeningSocket present = listening;
        return present != null && present.serves(bind, loopback(bind));
    }

    /** Accepts the name in {@code bind}, at which it listens already. Any thread. */
    public void rename(HostPort bind) {
        ListeningSocket present = listening;
        if (present != null) {
            present.guard().boundTo(bind.host());
        }
    }

    /**
     * Takes connections from {@code next} and no more from the socket before it, whose connections end with the answers
     * under way, within a few seconds. Any thread; returns at once.
     */
    public void move(ListeningSocket next) {
        ListeningSocket former = listening;
        listening = next;
        loop.execute(() -> {
            next.accept();
            if (former != null) {
                former.retire(LAST_ANSWERS);
            }
        });
    }

    /** Where it listens; the port is the real one when the configuration asked for 0. */
    public InetSocketAddress address() {
        ListeningSocket present = listening;
        return present == null ? new InetSocketAddress(0) : present.address();
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

    private static InetSocketAddress loopback(HostPort bind) {
        try {
            InetAddress address = InetAddress.getByName(bind.host());
            if (address.isLoopbackAddress()) {
                return new InetSocketAddress(address, bind.port());
            }
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("dashboard.bind: " + bind + " (expected: a name that resolves)", e);
        }
        throw new IllegalArgumentException("dashboard.bind: " + bind
                + " (expected: a loopback address such as 127.0.0.1; the dashboard has no login yet)");
    }
}

package io.ballast.http.h3;

import io.ballast.core.config.HostPort;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.BoundSockets;
import io.ballast.net.tls.ServerTls;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The UDP sockets of a listener with HTTP/3, and the QUIC connections on them. If the system can distribute clients over
 * several sockets of one port, each event loop has its own socket; otherwise there is one socket. A datagram of an open
 * connection reaches the loop of the connection by its connection id, even if the client has changed its address.
 *
 * <p>Thread safety: any thread may call any method; {@link #close} blocks.
 */
public final class QuicSockets implements AutoCloseable {

    /** Clients must return a token in a Retry packet while more handshakes than this wait. */
    static final int RETRY_THRESHOLD = 128;
    /** Maximum number of handshakes that wait; further clients are refused. */
    static final int MAX_HANDSHAKES = 4096;

    private static final int MAX_DATAGRAM_BYTES = 2048;
    private static final int DATAGRAM_BATCH = 16;
    private static final int RECEIVE_BUFFER_BYTES = 1024 * 1024;
    private static final Duration CLOSE_TIME = Duration.ofSeconds(1);

    private final BoundSockets sockets = new BoundSockets();
    private final ChannelGroup connections =
            new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);
    private final AtomicInteger handshakes = new AtomicInteger();
    private final Acceptor acceptor;
    private volatile boolean accepts = true;

    private QuicSockets(Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    /** Begins to serve new connections. */
    @FunctionalInterface
    public interface Acceptor {

        /**
         * Adds the handlers of a connection whose handshake begins; called on the event loop of the connection.
         *
         * @param onHandshakeEnd must be run when the handshake is complete or has failed; may be run again
         * @return whether the client is admitted
         */
        boolean accept(QuicChannel connection, Worker worker, Runnable onHandshakeEnd);
    }

    /**
     * Binds the sockets without receiving.
     *
     * @param port the port, which the TCP sockets of the listener have too
     * @param tls the current TLS settings of the listener
     * @throws BindException if the address is in use; the message names it
     * @throws IllegalArgumentException if QUIC cannot use the default certificate
     */
    public static QuicSockets bind(HostPort bind, int port, Workers workers, Supplier<ServerTls> tls, Acceptor acceptor)
            throws BindException {
        QuicSslContext context = new QuicCertificates(tls).newContext();
        QuicSockets opened = new QuicSockets(acceptor);
        InetSocketAddress address = new InetSocketAddress(bind.host(), port);
        byte[] key = new byte[RetryTokens.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        QuicDispatcher dispatcher = new QuicDispatcher(workers, context, key, opened::isUnderLoad, opened::begin);
        try {
            for (Worker worker : workers.loops().listeningLoops()) {
                opened.sockets.bind(
                        bootstrap(workers, worker).handler(pipeline(dispatcher)), address, "UDP", worker.heartbeat());
            }
            return opened;
        } catch (BindException e) {
            opened.sockets.close();
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), port, cause == null ? e : cause);
        }
    }

    private static ChannelInitializer<Channel> pipeline(QuicDispatcher dispatcher) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel socket) {
                socket.pipeline().addLast(new DatagramFilter(), dispatcher, new DatagramFilter());
            }
        };
    }

    private static Bootstrap bootstrap(Workers workers, Worker worker) {
        Bootstrap bootstrap = new Bootstrap()
                .group(worker.eventLoop())
                .channel(worker.transport().datagramChannel())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOCATOR, workers.allocator())
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
        if (worker.transport().sharesPort()) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        if (worker.transport().kind() == TransportKind.EPOLL) {
            return bootstrap
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new FixedRecvByteBufAllocator(DATAGRAM_BATCH * MAX_DATAGRAM_BYTES))
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, MAX_DATAGRAM_BYTES);
        }
        return bootstrap.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(MAX_DATAGRAM_BYTES));
    }

    private boolean isUnderLoad() {
        return handshakes.get() > RETRY_THRESHOLD;
    }

    private void begin(QuicChannel connection, Worker worker) {
        Handshake handshake = new Handshake();
        connections.add(connection);
        if (!accepts || handshakes.get() > MAX_HANDSHAKES || !acceptor.accept(connection, worker, handshake)) {
            handshake.run();
            connection.close();
        }
    }

    /** Starts receiving datagrams. */
    public void accept() {
        sockets.read();
    }

    /** Refuses new connections; open connections continue. Does not wait. */
    public void stopAccepting() {
        accepts = false;
    }

    /** The open connections. */
    public Iterable<Channel> connections() {
        return connections;
    }

    /**
     * Closes the sockets when all connections have ended, at the latest after {@code grace}. Does not wait.
     *
     * @param worker the loop whose clock is used
     */
    public void closeLater(Worker worker, Duration grace) {
        stopAccepting();
        connections.newCloseFuture().addListener(closed -> sockets.beginClose());
        worker.eventLoop().schedule(() -> connections.close(), grace.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes all connections and sockets; may be called again. */
    @Override
    public void close() {
        stopAccepting();
        connections.close().awaitUninterruptibly(CLOSE_TIME.toMillis());
        sockets.close();
    }

    /** A handshake that waits. */
    private final class Handshake implements Runnable {

        private boolean over;

        Handshake() {
            handshakes.incrementAndGet();
        }

        @Override
        public void run() {
            if (!over) {
                over = true;
                handshakes.decrementAndGet();
            }
        }
    }
}

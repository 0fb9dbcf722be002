package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.h3.QuicSockets;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.listen.ListeningSocket;
import io.ballast.net.listen.ListeningUnixSocket;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A TCP port or Unix socket that accepts HTTP or TCP connections. */
final class StreamPort extends FrontendPort<StreamClients> {

    private static final int BACKLOG = 4096;
    private static final Duration MAX_WAIT_FOR_PORT = Duration.ofSeconds(1);

    private final ListeningSocket socket;
    private final int port;
    /** The sockets of HTTP/3; null if the listener has none. */
    private volatile @Nullable QuicSockets quic;

    private StreamPort(ListenerConfig config, StreamClients first, Binding binding) throws BindException {
        super(StreamClients.class, config.bind(), config.socket(), first);
        Bound bound = binding.bind(this);
        this.socket = bound.socket;
        this.port = bound.port;
    }

    private record Bound(ListeningSocket socket, int port) {}

    @FunctionalInterface
    private interface Binding {
        Bound bind(StreamPort port) throws BindException;
    }

    /**
     * Binds and listens without accepting.
     *
     * @param isOurs whether sockets of this process that will be closed may still use the address
     */
    static StreamPort bind(ListenerConfig config, StreamClients first, Workers workers, boolean isOurs)
            throws BindException {
        return config.bind() instanceof UnixSocket address
                ? new StreamPort(config, first, port -> port.bindUnix(address, workers))
                : new StreamPort(config, first, port -> port.bindTcp((HostPort) config.bind(), workers, isOurs));
    }

    private Bound bindTcp(HostPort bind, Workers workers, boolean isOurs) throws BindException {
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            boolean isInherited = workers.loops().transport().inheritsPorts()
                    && workers.loops().inherited().has(SharedSocket.Kind.TCP, address);
            if (!isInherited && (!isOurs || !workers.loops().transport().sharesPort())) {
                PortCheck.awaitFree(address, MAX_WAIT_FOR_PORT);
            }
            ListeningPort listening = ListeningPort.bind(
                    address,
                    workers.loops(),
                    newBootstrap(workers, this::accepted)
                            .option(ChannelOption.SO_BACKLOG, BACKLOG)
                            .option(ChannelOption.AUTO_READ, false),
                    worker -> clients().countFailedAccept(worker));
            return new Bound(listening, listening.address().getPort());
        } catch (BindException e) {
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), bind.port(), cause == null ? e : cause);
        }
    }

    private Bound bindUnix(UnixSocket bind, Workers workers) throws BindException {
        SocketAddress local = UnixDomainSocketAddress.of(bind.path());
        ListeningUnixSocket listening = ListeningUnixSocket.bind(
                bind,
                socketFile(),
                workers.loops(),
                newBootstrap(workers, channel -> clients().begin(channel, PeerAddress.newUnnamedAddress(), local)),
                BACKLOG,
                worker -> clients().countFailedAccept(worker));
        return new Bound(listening, /* port= */ 0);
    }

    private static ServerBootstrap newBootstrap(Workers workers, Consumer<Channel> accept) {
        NettyTransport transport = workers.loops().transport();
        return new ServerBootstrap()
                .childOption(ChannelOption.ALLOCATOR, workers.allocator())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        transport.prepare(channel.pipeline());
                        accept.accept(channel);
                    }
                });
    }

    private void accepted(Channel channel) {
        if (channel.remoteAddress() instanceof InetSocketAddress peer
                && channel.localAddress() instanceof InetSocketAddress local) {
            clients().begin(channel, peer, local);
        } else {
            channel.close(); // the client has already disconnected
        }
    }

    /** Whether clients can use HTTP/3. */
    boolean hasQuic() {
        return quic != null;
    }

    /** Opens HTTP/3 with sockets of the same address. */
    void openQuic(QuicSockets sockets) {
        quic = sockets;
    }

    /** Ends HTTP/3; returns the sockets, which the caller closes. */
    @Nullable QuicSockets removeQuic() {
        QuicSockets removed = quic;
        quic = null;
        return removed;
    }

    @Override
    List<SharedSocket> sharedSockets() {
        return socket.sharedSockets();
    }

    @Override
    void activate() {
        socket.activate();
    }

    @Override
    void releaseToSuccessor() {
        socket.releaseToSuccessor();
        QuicSockets sockets = removeQuic();
        if (sockets != null) {
            sockets.close(); // the successor has its own sockets, and gets all datagrams from now on
        }
    }

    @Override
    int port() {
        return port;
    }

    @Override
    void accept() {
        socket.accept();
        QuicSockets sockets = quic;
        if (sockets != null) {
            sockets.accept();
        }
    }

    @Override
    boolean stopSockets() {
        socket.stop();
        QuicSockets sockets = quic;
        if (sockets != null) {
            sockets.stopAccepting();
        }
        return true;
    }

    @Override
    void closeSockets() {
        socket.close();
        QuicSockets sockets = quic;
        if (sockets != null) {
            sockets.close();
        }
    }
}

package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.PeerAddress;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.listen.ListeningSocket;
import io.ballast.net.listen.ListeningUnixSocket;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** The port or Unix socket of one listener for HTTP or TCP, and the connections that came in there. */
final class StreamPort implements FrontendPort {

    private static final int BACKLOG = 4096;
    private static final Duration MOST_WAIT_FOR_PORT = Duration.ofSeconds(1);

    private final Listener listener;
    private final ListeningSocket socket;
    private final int port;
    private final ChannelGroup connections;

    private StreamPort(Listener listener, ListeningSocket socket, int port, ChannelGroup connections) {
        this.listener = listener;
        this.socket = socket;
        this.port = port;
        this.connections = connections;
    }

    /** Puts what serves a client's connection into its pipeline. */
    @FunctionalInterface
    interface Protocol {

        void begin(Listener listener, Worker worker, Channel channel, SocketAddress client, SocketAddress local);
    }

    /** Starts to accept. */
    static StreamPort bind(Listener listener, Workers workers, Protocol protocol) throws BindException {
        ChannelGroup connections = new DefaultChannelGroup(
                GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also those accepted while closing
        try {
            if (listener.config().bind() instanceof UnixSocket socket) {
                return bindUnix(socket, listener, connections, workers, protocol);
            }
            return bindTcp((HostPort) listener.config().bind(), listener, connections, workers, protocol);
        } catch (BindException e) {
            connections.close();
            throw e;
        }
    }

    private static StreamPort bindTcp(
            HostPort bind, Listener listener, ChannelGroup connections, Workers workers, Protocol protocol)
            throws BindException {
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            PortCheck.awaitFree(address, MOST_WAIT_FOR_PORT);
            ListeningPort port = ListeningPort.bind(
                    address,
                    workers.loops(),
                    options(workers, channel -> accept(channel, listener, connections, workers, protocol))
                            .option(ChannelOption.SO_BACKLOG, BACKLOG),
                    worker -> notAccepted(listener, worker));
            return new StreamPort(listener, port, port.address().getPort(), connections);
        } catch (BindException e) {
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), bind.port(), cause == null ? e : cause);
        }
    }

    private static StreamPort bindUnix(
            UnixSocket bind, Listener listener, ChannelGroup connections, Workers workers, Protocol protocol)
            throws BindException {
        SocketAddress local = UnixDomainSocketAddress.of(bind.path());
        ListeningUnixSocket socket = ListeningUnixSocket.bind(
                bind,
                listener.config().socket(),
                workers.loops(),
                options(
                        workers,
                        channel ->
                                begin(channel, PeerAddress.unnamed(), local, listener, connections, workers, protocol)),
                BACKLOG,
                worker -> notAccepted(listener, worker));
        return new StreamPort(listener, socket, /* port= */ 0, connections);
    }

    private static void notAccepted(Listener listener, Worker worker) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED);
    }

    private static ServerBootstrap options(Workers workers, Consumer<Channel> accept) {
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

    private static void accept(
            Channel channel, Listener listener, ChannelGroup connections, Workers workers, Protocol protocol) {
        if (channel.remoteAddress() instanceof InetSocketAddress peer
                && channel.localAddress() instanceof InetSocketAddress local) {
            begin(channel, peer, local, listener, connections, workers, protocol);
        } else {
            channel.close(); // gone already
        }
    }

    private static void begin(
            Channel channel,
            SocketAddress peer,
            SocketAddress local,
            Listener listener,
            ChannelGroup connections,
            Workers workers,
            Protocol protocol) {
        Worker worker = workers.of(channel.eventLoop());
        ProxiedStart.begin(channel, listener, worker, peer, (client, pipeline) -> {
            ListenerCounter refusal = listener.admit(client);
            if (refusal != null) {
                // Without an answer: no request was read, and a flood of connections must cost as little as possible.
                listener.counters().shard(worker.index()).increment(refusal);
                return false;
            }
            connections.add(channel);
            protocol.begin(listener, worker, channel, client, local);
            return true;
        });
    }

    @Override
    public Listener listener() {
        return listener;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stopAccepting() {
        listener.drain();
        socket.close();
        connections.stream()
                .filter(channel -> !channel.eventLoop().isShuttingDown()) // one that has ended drains nothing
                .forEach(channel -> channel.eventLoop().execute(() -> drain(channel)));
    }

    private static void drain(Channel channel) {
        TlsAccept handshake = channel.pipeline().get(TlsAccept.class);
        if (handshake != null) {
            handshake.end();
        } else {
            HttpLoop.drain(channel);
        }
    }

    @Override
    public int awaitIdle(long endNanos) {
        for (Channel channel : connections) {
            long left = endNanos - System.nanoTime();
            if (left <= 0 || !channel.closeFuture().awaitUninterruptibly(Math.max(1, left / 1_000_000))) {
                break;
            }
        }
        // Not the group's size: a channel leaves it a moment after it was closed.
        return (int) connections.stream().filter(Channel::isOpen).count();
    }

    @Override
    public void close() {
        socket.close();
        connections.close().awaitUninterruptibly();
    }
}

package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.h1.client.ClientConnection;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.ListeningPort;
import io.ballast.net.listen.PortCheck;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.function.Consumer;

/** One listener's port, and the connections that came in there. */
final class HttpPort {

    private static final int BACKLOG = 4096;
    private static final Duration MOST_WAIT_FOR_PORT = Duration.ofSeconds(1);

    private final Listener listener;
    private final ListeningPort port;
    private final ChannelGroup connections;

    private HttpPort(Listener listener, ListeningPort port, ChannelGroup connections) {
        this.listener = listener;
        this.port = port;
        this.connections = connections;
    }

    /**
     * Starts to accept.
     *
     * @param loops what HTTP/1.1 has on each of the workers' event loops, shared by all listeners
     */
    static HttpPort bind(Listener listener, Workers workers, IdentityHashMap<EventLoop, Http1Loop> loops)
            throws BindException {
        HostPort bind = listener.config().bind();
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        ChannelGroup connections = new DefaultChannelGroup(
                GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also those accepted while closing
        try {
            PortCheck.awaitFree(address, MOST_WAIT_FOR_PORT);
            ListeningPort port = ListeningPort.bind(
                    address,
                    workers.loops(),
                    options(workers, channel -> accept(channel, listener, connections, loops)),
                    worker -> listener.counters()
                            .shard(worker.index())
                            .increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED));
            return new HttpPort(listener, port, connections);
        } catch (BindException e) {
            connections.close();
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), bind.port(), cause == null ? e : cause);
        }
    }

    private static ServerBootstrap options(Workers workers, Consumer<Channel> accept) {
        NettyTransport transport = workers.loops().transport();
        return new ServerBootstrap()
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, workers.allocator())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        transport.prepare(channel.pipeline());
                        accept.accept(channel);
                    }
                });
    }

    private static void accept(
            Channel channel, Listener listener, ChannelGroup connections, IdentityHashMap<EventLoop, Http1Loop> loops) {
        Http1Loop loop = loops.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("accepted on a foreign event loop");
        }
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)
                || !(channel.localAddress() instanceof InetSocketAddress local)) {
            channel.close(); // gone already
            return;
        }
        ListenerCounter refusal = listener.admit(peer.getAddress());
        if (refusal != null) {
            // Without an answer: no request was read, and a flood of connections must cost as little as possible.
            listener.counters().shard(loop.index()).increment(refusal);
            channel.close();
            return;
        }
        connections.add(channel);
        channel.pipeline().addLast(loop.newConnection(listener, channel, peer, local));
    }

    Listener listener() {
        return listener;
    }

    int port() {
        return port.address().getPort();
    }

    void stopAccepting() {
        listener.drain();
        port.close();
        connections.stream()
                .filter(channel -> !channel.eventLoop().isShuttingDown()) // one that has ended drains nothing
                .forEach(channel -> channel.eventLoop().execute(() -> drain(channel)));
    }

    private static void drain(Channel channel) {
        ClientConnection connection = channel.pipeline().get(ClientConnection.class);
        if (connection != null) {
            connection.drain();
        }
    }

    /** Waits until no connection is left or the time is over; returns how many are left. */
    int awaitIdle(long endNanos) {
        for (Channel channel : connections) {
            long left = endNanos - System.nanoTime();
            if (left <= 0 || !channel.closeFuture().awaitUninterruptibly(Math.max(1, left / 1_000_000))) {
                break;
            }
        }
        // Not the group's size: a channel leaves it a moment after it was closed.
        return (int) connections.stream().filter(Channel::isOpen).count();
    }

    void close() {
        port.close();
        connections.close().awaitUninterruptibly();
    }
}

package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.ListeningPort;
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
import java.time.Duration;
import java.util.function.Consumer;

/** The port of one listener for HTTP or TCP, and the connections that came in there. */
final class StreamPort implements FrontendPort {

    private static final int BACKLOG = 4096;
    private static final Duration MOST_WAIT_FOR_PORT = Duration.ofSeconds(1);

    private final Listener listener;
    private final ListeningPort port;
    private final ChannelGroup connections;

    private StreamPort(Listener listener, ListeningPort port, ChannelGroup connections) {
        this.listener = listener;
        this.port = port;
        this.connections = connections;
    }

    /** Puts what serves a client's connection into its pipeline. */
    @FunctionalInterface
    interface Protocol {

        void begin(
                Listener listener, Worker worker, Channel channel, InetSocketAddress client, InetSocketAddress local);
    }

    /** Starts to accept. */
    static StreamPort bind(Listener listener, Workers workers, Protocol protocol) throws BindException {
        HostPort bind = listener.config().bind();
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        ChannelGroup connections = new DefaultChannelGroup(
                GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also those accepted while closing
        try {
            PortCheck.awaitFree(address, MOST_WAIT_FOR_PORT);
            ListeningPort port = ListeningPort.bind(
                    address,
                    workers.loops(),
                    options(workers, channel -> accept(channel, listener, connections, workers, protocol)),
                    worker -> listener.counters()
                            .shard(worker.index())
                            .increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED));
            return new StreamPort(listener, port, connections);
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
            Channel channel, Listener listener, ChannelGroup connections, Workers workers, Protocol protocol) {
        Worker worker = workers.of(channel.eventLoop());
        if (!(channel.remoteAddress() instanceof InetSocketAddress peer)
                || !(channel.localAddress() instanceof InetSocketAddress local)) {
            channel.close(); // gone already
            return;
        }
        ProxiedStart.begin(channel, listener, worker, peer, (client, pipeline) -> {
            ListenerCounter refusal = listener.admit(client.getAddress());
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
        return port.address().getPort();
    }

    @Override
    public void stopAccepting() {
        listener.drain();
        port.close();
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
        port.close();
        connections.close().awaitUninterruptibly();
    }
}

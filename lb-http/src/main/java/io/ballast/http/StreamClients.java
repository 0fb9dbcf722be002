package io.ballast.http;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.SocketAddress;

/** The connections of one listener for HTTP or TCP. */
final class StreamClients implements Clients {

    private final Listener listener;
    private final Workers workers;
    private final Protocol protocol;
    private final ChannelGroup connections = new DefaultChannelGroup(
            GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also those accepted while closing

    StreamClients(Listener listener, Workers workers, Protocol protocol) {
        this.listener = listener;
        this.workers = workers;
        this.protocol = protocol;
    }

    /** Puts what serves a client's connection into its pipeline. */
    @FunctionalInterface
    interface Protocol {

        /** @param settings of the listener, which the connection keeps */
        void begin(
                Listener listener,
                ConnectionSettings settings,
                Worker worker,
                Channel channel,
                SocketAddress client,
                SocketAddress local);
    }

    @Override
    public Listener listener() {
        return listener;
    }

    /** A connection could not be accepted when that was tried. */
    void notAccepted(Worker worker) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED);
    }

    /** A connection came; called on its event loop. */
    void begin(Channel channel, SocketAddress peer, SocketAddress local) {
        Worker worker = workers.of(channel.eventLoop());
        if (listener.settings().connections().proxies() != null) {
            connections.add(channel); // while it is not known yet whose it is
        }
        ProxiedStart.begin(channel, listener, worker, peer, local, (client, destination, pipeline) -> {
            ConnectionSettings settings = listener.settings().connections();
            ListenerCounter refusal = listener.admit(settings, client);
            if (refusal != null) {
                // Without an answer: no request was read, and a flood of connections must cost as little as possible.
                listener.counters().shard(worker.index()).increment(refusal);
                return false;
            }
            connections.add(channel);
            protocol.begin(listener, settings, worker, channel, client, destination);
            return true;
        });
    }

    @Override
    public void drain() {
        listener.drain();
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
        connections.close().awaitUninterruptibly();
    }
}

package io.ballast.http;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The client connections of one HTTP or TCP listener. */
final class StreamClients implements ListenerClients {

    private final Listener listener;
    private final Workers workers;
    private final Protocol protocol;
    private final @Nullable QuicProtocol quicProtocol;
    private final ChannelGroup connections = new DefaultChannelGroup(
            GlobalEventExecutor.INSTANCE, /* stayClosed= */ true); // also closes connections accepted during the close

    /** @param quic serves connections over QUIC; null if the protocol has none */
    StreamClients(Listener listener, Workers workers, Protocol protocol, @Nullable QuicProtocol quic) {
        this.listener = listener;
        this.workers = workers;
        this.protocol = protocol;
        this.quicProtocol = quic;
    }

    /** Adds the protocol's handlers to the pipeline of a client connection. */
    @FunctionalInterface
    interface Protocol {

        /** @param settings the listener's settings, which the connection keeps */
        void begin(
                Listener listener,
                ConnectionSettings settings,
                Worker worker,
                Channel channel,
                SocketAddress client,
                SocketAddress local);
    }

    /** Adds the protocol's handlers to the pipeline of a QUIC connection. */
    @FunctionalInterface
    interface QuicProtocol {

        /**
         * @param settings the listener's settings, which the connection keeps
         * @param onHandshakeEnd must be run when the handshake is complete or has failed
         */
        void begin(
                Listener listener,
                ConnectionSettings settings,
                Worker worker,
                QuicChannel channel,
                Runnable onHandshakeEnd);
    }

    @Override
    public Listener listener() {
        return listener;
    }

    /** Counts a failed accept. */
    void countFailedAccept(Worker worker) {
        listener.counters().shard(worker.index()).increment(ListenerCounter.CONNECTIONS_NOT_ACCEPTED);
    }

    /** Starts an accepted connection; called on its event loop. */
    void begin(Channel channel, SocketAddress peer, SocketAddress local) {
        Worker worker = workers.of(channel.eventLoop());
        if (listener.settings().connections().proxyProtocolPeers() != null) {
            connections.add(channel); // the group must contain the channel even before its client is known
        }
        ProxyProtocolStart.begin(channel, listener, worker, peer, local, (client, destination, pipeline) -> {
            ConnectionSettings settings = listener.settings().connections();
            ListenerCounter refusal = listener.admit(settings, client);
            if (refusal != null) {
                // No response is sent, because no request was read and a flood of connections must cost as little as
                // possible.
                listener.counters().shard(worker.index()).increment(refusal);
                return false;
            }
            connections.add(channel);
            protocol.begin(listener, settings, worker, channel, client, destination);
            return true;
        });
    }

    /**
     * Starts a QUIC connection; called on its event loop.
     *
     * @param onHandshakeEnd run when the handshake is complete or has failed
     * @return whether the client is admitted
     */
    boolean beginQuic(QuicChannel channel, Worker worker, Runnable onHandshakeEnd) {
        ConnectionSettings settings = listener.settings().connections();
        QuicProtocol begun = quicProtocol;
        if (begun == null || listener.isDraining()) {
            return false;
        }
        ListenerCounter refusal = listener.admit(settings, channel.remoteSocketAddress());
        if (refusal != null) {
            listener.counters().shard(worker.index()).increment(refusal);
            return false;
        }
        connections.add(channel);
        begun.begin(listener, settings, worker, channel, onHandshakeEnd);
        return true;
    }

    @Override
    public void drain() {
        listener.drain();
        connections.stream()
                .filter(channel -> !channel.eventLoop().isShuttingDown()) // an event loop that has ended runs no tasks
                .forEach(channel -> channel.eventLoop().execute(() -> drain(channel)));
    }

    private static void drain(Channel channel) {
        TlsServerHandshake handshake = channel.pipeline().get(TlsServerHandshake.class);
        if (handshake != null) {
            handshake.closeConnection();
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
        // The size of the group is not used, because a closed channel leaves the group with a short delay.
        return (int) connections.stream().filter(Channel::isOpen).count();
    }

    @Override
    public void close() {
        connections.close().awaitUninterruptibly();
    }
}

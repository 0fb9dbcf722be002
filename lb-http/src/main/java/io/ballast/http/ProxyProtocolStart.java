package io.ballast.http;

import io.ballast.core.net.CidrSet;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.net.UnexpectedErrors;
import io.ballast.http.net.Worker;
import io.ballast.net.proxyprotocol.ProxyHeaderReader;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Starts a connection as soon as its client is known: immediately, or after the PROXY header if the listener
 * expects one. Confined to the connection's event loop.
 */
final class ProxyProtocolStart extends DeadlineWheel.Deadline implements ProxyHeaderReader.Recipient {

    /** Starts the connection when the client's address is known. */
    @FunctionalInterface
    interface Start {

        /**
         * Adds the handlers of the connection; false if the client is not admitted.
         *
         * @param local the address the client connected to, from the PROXY header or the socket
         */
        boolean start(SocketAddress client, SocketAddress local, ChannelPipeline pipeline);
    }

    private final Channel channel;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final Worker worker;
    private final SocketAddress peer;
    private final SocketAddress local;
    private final Start start;

    private ProxyProtocolStart(
            Channel channel,
            Listener listener,
            ConnectionSettings settings,
            Worker worker,
            SocketAddress peer,
            SocketAddress local,
            Start start) {
        this.channel = channel;
        this.listener = listener;
        this.settings = settings;
        this.worker = worker;
        this.peer = peer;
        this.local = local;
        this.start = start;
    }

    /** Starts to serve a connection that {@code peer} opened to the address {@code local}. */
    static void begin(
            Channel channel, Listener listener, Worker worker, SocketAddress peer, SocketAddress local, Start start) {
        ConnectionSettings settings = listener.settings().connections();
        CidrSet proxies = settings.proxyProtocolPeers();
        if (proxies == null) {
            if (!start.start(peer, local, channel.pipeline())) {
                channel.close();
            }
            return;
        }
        ProxyProtocolStart proxied = new ProxyProtocolStart(channel, listener, settings, worker, peer, local, start);
        // A client of a Unix socket is always trusted, because file permissions control the access to the socket.
        if (!(peer instanceof InetSocketAddress inet) || proxies.contains(inet.getAddress())) {
            proxied.awaitHeader();
        } else {
            proxied.onInvalidHeader();
            channel.close();
        }
    }

    private void awaitHeader() {
        worker.readAllocatorOf(channel); // must precede the first read, so that the read uses this allocator
        channel.pipeline().addLast(new ProxyHeaderReader(this));
        worker.readClock();
        worker.setDeadline(this, settings.config().startTimeout());
        channel.closeFuture().addListener(closed -> worker.deadlines().remove(this));
    }

    @Override
    public boolean onClientIdentified(
            @Nullable InetSocketAddress client, @Nullable InetSocketAddress destination, ChannelPipeline pipeline) {
        worker.deadlines().remove(this);
        if (!listener.config().proxyProtocol().equals(settings.config().proxyProtocol())) {
            return false; // the trusted proxies have changed since the connection was accepted
        }
        return start.start(client == null ? peer : client, destination == null ? local : destination, pipeline);
    }

    @Override
    public void onInvalidHeader() {
        listener.counters().shard(worker.index()).increment(ListenerCounter.CONNECTIONS_PROXY_REFUSED);
    }

    @Override
    public void onFailure(Throwable cause) {
        UnexpectedErrors.report(cause);
    }

    @Override
    protected void expired(long nowNanos) {
        onInvalidHeader();
        channel.close();
    }
}

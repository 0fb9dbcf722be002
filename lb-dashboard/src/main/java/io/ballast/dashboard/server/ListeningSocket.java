package io.ballast.dashboard.server;

import io.ballast.core.config.HostPort;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A bound socket with the connections that came through it. It takes none until {@link #accept}: until then they wait in the
 * system's queue.
 *
 * <p>Thread safety: {@link #address} and {@link #close} may be called by any thread; the rest is confined to the server's
 * event loop.
 */
public final class ListeningSocket implements AutoCloseable {

    private final Channel channel;
    private final InetSocketAddress address;
    private final HostPort bind;
    private final RequestGuard guard;
    private final SocketConnections connections;

    /**
     * @param channel bound, and not reading by itself
     * @param connections those that come through it
     */
    ListeningSocket(Channel channel, HostPort bind, RequestGuard guard, SocketConnections connections) {
        this.connections = connections;
        this.channel = channel;
        this.address = (InetSocketAddress) channel.localAddress();
        this.bind = bind;
        this.guard = guard;
    }

    /** Where it listens; the port is the real one when 0 was asked for. */
    public InetSocketAddress address() {
        return address;
    }

    RequestGuard guard() {
        return guard;
    }

    /** Whether what {@code other} asks for is this very address. */
    boolean serves(HostPort other, InetSocketAddress resolved) {
        return address.getAddress().equals(resolved.getAddress())
                && (other.port() == bind.port() || other.port() == address.getPort());
    }

    void accept() {
        channel.config().setAutoRead(true);
    }

    /** Ends the connections that there are, each when it is answered, and takes new ones. */
    void renewConnections() {
        connections.renew();
    }

    /** Takes no more connections and ends those that there are, each when it is answered, all of them after {@code most}. */
    void retire(Duration most) {
        channel.close();
        connections.retire();
        channel.eventLoop().schedule(connections::close, most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Gives the address up. */
    @Override
    public void close() {
        channel.close();
    }
}

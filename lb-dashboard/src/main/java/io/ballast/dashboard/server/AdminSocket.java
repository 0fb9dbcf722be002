package io.ballast.dashboard.server;

import io.ballast.core.config.HostPort;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A bound socket with its accepted connections. It accepts nothing before {@link #accept}; until then connections wait
 * in the backlog.
 *
 * <p>Thread safety: {@link #address} and {@link #close} may be called by any thread; all other methods are confined to
 * the server's event loop.
 */
public final class AdminSocket implements AutoCloseable {

    private final Channel channel;
    private final InetSocketAddress address;
    private final HostPort configuredAddress;
    private final RequestGuard guard;
    private final SocketConnections connections;

    /**
     * @param channel the bound channel, with auto-read off
     * @param connections the connections that this socket accepts
     */
    AdminSocket(Channel channel, HostPort bind, RequestGuard guard, SocketConnections connections) {
        this.connections = connections;
        this.channel = channel;
        this.address = (InetSocketAddress) channel.localAddress();
        this.configuredAddress = bind;
        this.guard = guard;
    }

    /** Returns the bound address, with the real port if port 0 was configured. */
    public InetSocketAddress address() {
        return address;
    }

    RequestGuard guard() {
        return guard;
    }

    /** Returns whether this socket is bound to the configured address {@code other}. */
    boolean isBoundTo(HostPort other, InetSocketAddress resolved) {
        return address.getAddress().equals(resolved.getAddress())
                && (other.port() == configuredAddress.port() || other.port() == address.getPort());
    }

    void accept() {
        channel.config().setAutoRead(true);
    }

    /** Closes the current connections, each after its pending response; continues to accept new connections. */
    void drainConnections() {
        connections.drainCurrent();
    }

    /**
     * Stops listening and closes each connection after its pending response, or at the latest after {@code max}.
     */
    void drain(Duration max) {
        channel.close();
        connections.drainAll();
        channel.eventLoop().schedule(connections::close, max.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes the listening socket, which frees its address. */
    @Override
    public void close() {
        channel.close();
    }
}

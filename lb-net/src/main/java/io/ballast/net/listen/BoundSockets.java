package io.ballast.net.listen;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.takeover.SharedSocket;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Bound sockets, for connections or datagrams, that are closed together. Thread safety: confined to the
 * thread that starts and stops the listeners.
 */
public final class BoundSockets implements AutoCloseable {

    private final List<Channel> channels = new ArrayList<>();
    /** The requested addresses; the system may report them differently, for instance as IPv6 addresses. */
    private final List<InetAddress> hosts = new ArrayList<>();
    /** Actions that unregister the callbacks for a dead event loop; run when the sockets are closed. */
    private final List<Runnable> unregisterActions = new ArrayList<>();

    /**
     * Binds one more socket.
     *
     * @param heart the heartbeat of its event loop; the socket is closed when the loop dies
     * @return the bound address, with the actual port
     * @throws BindException if the address cannot be bound; the message names the protocol, the address and the reason
     */
    public InetSocketAddress bind(
            AbstractBootstrap<?, ?> bootstrap, InetSocketAddress address, String protocol, Heartbeat heart)
            throws BindException {
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw BindFailure.at(protocol, address, bound.cause());
        }
        return add(bound.channel(), address, heart);
    }

    /**
     * Adopts a socket that is already bound, without reading from it until {@link #read}.
     *
     * @param bootstrap creates the channel that owns the socket
     * @param address the address for the error message
     * @param heart the heartbeat of its event loop; the socket is closed when the loop dies
     * @return the bound address
     * @throws BindException if the socket cannot be adopted; the message names the protocol, the address and the reason
     */
    public InetSocketAddress adopt(
            AbstractBootstrap<?, ?> bootstrap, InetSocketAddress address, String protocol, Heartbeat heart)
            throws BindException {
        ChannelFuture registered =
                bootstrap.option(ChannelOption.AUTO_READ, false).register().awaitUninterruptibly();
        if (!registered.isSuccess()) {
            throw BindFailure.at(protocol, address, registered.cause());
        }
        return add(registered.channel(), address, heart);
    }

    private InetSocketAddress add(Channel channel, InetSocketAddress requested, Heartbeat heart) {
        channels.add(channel);
        hosts.add(requested.getAddress());
        Runnable will = () -> FailedLoopChannels.close(channel);
        heart.onThreadFailure(will);
        unregisterActions.add(() -> heart.removeFailureAction(will));
        return (InetSocketAddress) channel.localAddress();
    }

    /** Starts reading on sockets that were bound without {@link ChannelOption#AUTO_READ}. */
    public void read() {
        channels.forEach(channel -> channel.config().setAutoRead(true));
    }

    /** Returns the sockets in a form that another process can inherit; empty on NIO. */
    public List<SharedSocket> sharedSockets(SharedSocket.Kind kind) {
        List<SharedSocket> shared = new ArrayList<>();
        for (int i = 0; i < channels.size(); i++) {
            if (channels.get(i) instanceof UnixChannel channel) {
                int port = ((InetSocketAddress) channel.localAddress()).getPort();
                InetSocketAddress address = new InetSocketAddress(hosts.get(i), port);
                shared.add(SharedSocket.of(kind, address, channel.fd().intValue()));
            }
        }
        return shared;
    }

    /**
     * Checks all sockets whose auto-read is on for pending data and connections. The operating system wakes only
     * one process for new data, and that process may be about to stop.
     */
    public void readAgain() {
        channels.forEach(channel -> channel.eventLoop().execute(() -> {
            if (channel.config().isAutoRead()) {
                channel.config().setAutoRead(false);
                channel.config().setAutoRead(true);
            }
        }));
    }

    /** Stops reading; answers can still be sent. */
    public void stopReading() {
        channels.forEach(channel -> channel.config().setAutoRead(false));
    }

    /** All sockets. */
    public List<Channel> channels() {
        return List.copyOf(channels);
    }

    /** Begins to close all sockets, and does not wait until they are closed. */
    public List<ChannelFuture> beginClose() {
        unregisterActions.forEach(Runnable::run);
        unregisterActions.clear();
        return channels.stream().map(Channel::close).toList();
    }

    /** Closes all sockets and waits until they are closed. */
    @Override
    public void close() {
        beginClose().forEach(ChannelFuture::awaitUninterruptibly);
    }
}

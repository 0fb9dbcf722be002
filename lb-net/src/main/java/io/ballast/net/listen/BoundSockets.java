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
 * Sockets bound to an address, for connections or datagrams, that are closed together. Thread safety: confined to the
 * thread that starts and stops.
 */
public final class BoundSockets implements AutoCloseable {

    private final List<Channel> channels = new ArrayList<>();
    /** As it was asked for, which the system may tell otherwise: as an address of IPv6, for instance. */
    private final List<InetAddress> hosts = new ArrayList<>();
    /** What is done when an event loop dies, to be taken back when the sockets are closed. */
    private final List<Runnable> wills = new ArrayList<>();

    /**
     * Binds one more.
     *
     * @param heart of the event loop that it is on, which it does not outlive
     * @return the address that it has now, with a port if any was asked for
     * @throws BindException naming protocol, address and reason
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
     * Goes on with a socket that is bound already, without reading what comes until {@link #read}.
     *
     * @param bootstrap makes the channel that owns the socket
     * @param address for the message
     * @param heart of the event loop that it is on, which it does not outlive
     * @return the address that it has
     * @throws BindException naming protocol, address and reason
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

    private InetSocketAddress add(Channel channel, InetSocketAddress asked, Heartbeat heart) {
        channels.add(channel);
        hosts.add(asked.getAddress());
        Runnable will = () -> DeadLoop.close(channel);
        heart.onDeath(will);
        wills.add(() -> heart.forget(will));
        return (InetSocketAddress) channel.localAddress();
    }

    /** Begins to read what comes, on sockets that were bound without {@link ChannelOption#AUTO_READ}. */
    public void read() {
        channels.forEach(channel -> channel.config().setAutoRead(true));
    }

    /** As another process may go on with them; none on NIO. */
    public List<SharedSocket> shared(SharedSocket.Kind kind) {
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
     * Looks at once whether anything waits, on sockets that are read from. The system wakes one process for what comes, and it
     * may have been one that was about to stop.
     */
    public void readAgain() {
        channels.forEach(channel -> channel.eventLoop().execute(() -> {
            if (channel.config().isAutoRead()) {
                channel.config().setAutoRead(false);
                channel.config().setAutoRead(true);
            }
        }));
    }

    /** Ends reading, on sockets by which answers still go out. */
    public void stopReading() {
        channels.forEach(channel -> channel.config().setAutoRead(false));
    }

    /** All of them. */
    public List<Channel> channels() {
        return List.copyOf(channels);
    }

    /** Begins to close all of them, and does not wait for it. */
    public List<ChannelFuture> beginClose() {
        wills.forEach(Runnable::run);
        wills.clear();
        return channels.stream().map(Channel::close).toList();
    }

    /** Closes all of them and waits for it. */
    @Override
    public void close() {
        beginClose().forEach(ChannelFuture::awaitUninterruptibly);
    }
}

package io.ballast.net.listen;

import io.ballast.core.watchdog.Heartbeat;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Sockets bound to an address, for connections or datagrams, that are closed together. Thread safety: confined to the
 * thread that starts and stops.
 */
public final class BoundSockets implements AutoCloseable {

    private final List<Channel> channels = new ArrayList<>();
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
        Channel channel = bound.channel();
        channels.add(channel);
        Runnable will = () -> DeadLoop.close(channel);
        heart.onDeath(will);
        wills.add(() -> heart.forget(will));
        return (InetSocketAddress) channel.localAddress();
    }

    /** Begins to read what comes, on sockets that were bound without {@link ChannelOption#AUTO_READ}. */
    public void read() {
        channels.forEach(channel -> channel.config().setAutoRead(true));
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

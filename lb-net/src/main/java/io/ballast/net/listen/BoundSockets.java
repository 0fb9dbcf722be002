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
        heart.onDeath(() -> DeadLoop.close(channel));
        return (InetSocketAddress) channel.localAddress();
    }

    /** Has those read that were bound without {@link ChannelOption#AUTO_READ}. */
    public void read() {
        channels.forEach(channel -> channel.config().setAutoRead(true));
    }

    /** Closes all of them without waiting for it. */
    public void closeSoon() {
        channels.forEach(Channel::close);
    }

    /** Closes all of them and waits for it. */
    @Override
    public void close() {
        List<ChannelFuture> closing = channels.stream().map(Channel::close).toList();
        closing.forEach(ChannelFuture::awaitUninterruptibly);
    }
}

package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.DeadLoop;
import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Listening sockets that are closed together. Thread safety: confined to the thread that starts and stops. */
public final class ChannelSet {

    private final List<Channel> channels = new ArrayList<>();

    /**
     * Binds one more, or says which address could not be bound and why.
     *
     * @param heart of the event loop that it is on, which it does not outlive
     */
    public void bind(AbstractBootstrap<?, ?> bootstrap, InetSocketAddress address, String protocol, Heartbeat heart)
            throws IOException {
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw cannotBind(protocol, address, bound.cause());
        }
        Channel channel = bound.channel();
        channels.add(channel);
        heart.onDeath(() -> DeadLoop.close(channel));
    }

    /** What to throw when an address cannot be bound. */
    public static BindException cannotBind(String protocol, InetSocketAddress address, Throwable cause) {
        BindException e = new BindException("cannot listen on " + protocol + " " + LocalAddresses.text(address) + ": "
                + BindFailure.reason(address.getPort(), cause));
        e.initCause(cause);
        return e;
    }

    /** Closes all of them and waits for it. */
    public void close() {
        List<ChannelFuture> closing = channels.stream().map(Channel::close).toList();
        closing.forEach(ChannelFuture::awaitUninterruptibly);
    }
}

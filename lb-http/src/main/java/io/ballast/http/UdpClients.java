package io.ballast.http;

import io.ballast.http.exchange.Listener;
import io.ballast.http.udp.UdpListener;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;

/** The sessions of one UDP listener. */
final class UdpClients implements ListenerClients {

    private final Listener listener;
    private final ChannelGroup sessions = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);

    private final UdpListener udpListener;

    UdpClients(Listener listener) {
        this.listener = listener;
        this.udpListener = new UdpListener(listener, sessions);
    }

    @Override
    public Listener listener() {
        return listener;
    }

    /** Returns the listener together with the sockets of its sessions. */
    UdpListener udpListener() {
        return udpListener;
    }

    @Override
    public void drain() {
        listener.drain();
    }

    @Override
    public int awaitIdle(long endNanos) {
        for (Channel session : sessions) {
            long left = endNanos - System.nanoTime();
            if (left <= 0 || !session.closeFuture().awaitUninterruptibly(Math.max(1, left / 1_000_000))) {
                break;
            }
        }
        return listener.openConnections();
    }

    @Override
    public void close() {
        sessions.close().awaitUninterruptibly();
    }
}

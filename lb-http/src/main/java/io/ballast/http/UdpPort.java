package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.Listener;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.session.SessionRoutes;
import io.ballast.http.udp.Datagrams;
import io.ballast.http.udp.UdpSessions;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.BoundSockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;

/**
 * The port of one listener for UDP: a socket for each event loop where the system can spread clients over several sockets of
 * one port, always the same one for a client, else one socket.
 */
final class UdpPort implements FrontendPort {

    private final Listener listener;
    private final BoundSockets sockets;
    private final ChannelGroup sessions;
    private final int port;

    private UdpPort(Listener listener, BoundSockets sockets, ChannelGroup sessions, int port) {
        this.listener = listener;
        this.sockets = sockets;
        this.sessions = sessions;
        this.port = port;
    }

    /** Starts to receive. */
    static UdpPort bind(Listener listener, SessionRoutes routes, Workers workers) throws BindException {
        HostPort bind = (HostPort) listener.config().bind(); // datagrams have no other
        ChannelGroup sessions = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, /* stayClosed= */ true);
        BoundSockets sockets = new BoundSockets();
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            for (Worker worker : workers.loops().listening()) {
                UdpSessions handler = new UdpSessions(worker, listener, routes, sessions);
                // A port chosen by the system for the first socket is the port of all.
                address = sockets.bind(bootstrap(workers, worker).handler(handler), address, "UDP", worker.heartbeat());
            }
            return new UdpPort(listener, sockets, sessions, address.getPort());
        } catch (BindException e) {
            sockets.close();
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), bind.port(), cause == null ? e : cause);
        }
    }

    private static Bootstrap bootstrap(Workers workers, Worker worker) {
        Bootstrap bootstrap = Datagrams.forClients(new Bootstrap(), worker.transport())
                .group(worker.eventLoop())
                .channel(worker.transport().datagramChannel())
                .option(ChannelOption.ALLOCATOR, workers.allocator());
        return worker.transport().sharesPort() ? bootstrap.option(UnixChannelOption.SO_REUSEPORT, true) : bootstrap;
    }

    @Override
    public Listener listener() {
        return listener;
    }

    @Override
    public int port() {
        return port;
    }

    /** The sockets stay: sessions that run need them. */
    @Override
    public void stopAccepting() {
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
        sockets.close();
        sessions.close().awaitUninterruptibly();
    }
}

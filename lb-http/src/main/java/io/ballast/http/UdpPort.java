package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.ListenerConfig;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.udp.Datagrams;
import io.ballast.http.udp.UdpSessions;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.BoundSockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;

/**
 * A UDP port: a socket for each event loop where the system can spread clients over several sockets of one port, always the
 * same one for a client, else one socket. Sessions get their answers out by the socket that they came in by, also those of a
 * listener whose sockets another one has taken over.
 */
final class UdpPort extends FrontendPort<UdpClients> {

    private final BoundSockets sockets = new BoundSockets();
    private final int port;

    private UdpPort(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        super(UdpClients.class, config.bind(), config.socket(), first);
        this.port = bind((HostPort) config.bind(), workers); // datagrams have no other
    }

    /** Binds the sockets, without receiving. */
    static UdpPort bind(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        return new UdpPort(config, first, workers);
    }

    private int bind(HostPort bind, Workers workers) throws BindException {
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            for (Worker worker : workers.loops().listening()) {
                UdpSessions handler = new UdpSessions(worker, () -> clients().identity());
                // A port chosen by the system for the first socket is the port of all.
                address = sockets.bind(bootstrap(workers, worker).handler(handler), address, "UDP", worker.heartbeat());
            }
            return address.getPort();
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
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOCATOR, workers.allocator());
        return worker.transport().sharesPort() ? bootstrap.option(UnixChannelOption.SO_REUSEPORT, true) : bootstrap;
    }

    @Override
    int port() {
        return port;
    }

    @Override
    void accept() {
        sockets.read();
    }

    /** Sessions that run need them. */
    @Override
    boolean stopSockets() {
        return false;
    }

    @Override
    void closeSockets() {
        sockets.close();
    }
}

package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.udp.DatagramSocketOptions;
import io.ballast.http.udp.UdpSessions;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.listen.BoundSockets;
import io.ballast.net.takeover.SharedSocket;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.UnixChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A UDP port. If the system can distribute clients over several sockets of one port, and always uses the same
 * socket for the same client, each event loop has its own socket; otherwise there is one socket. Sessions
 * send answers through the socket that received the client's datagrams, even after another listener has taken
 * over the sockets.
 */
final class UdpPort extends FrontendPort<UdpClients> {

    private final BoundSockets sockets = new BoundSockets();
    private final int port;
    private final boolean inherits;

    private UdpPort(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        super(UdpClients.class, config.bind(), config.socket(), first);
        this.inherits = workers.loops().transport().inheritsDatagrams();
        this.port = bind((HostPort) config.bind(), workers); // the address of a UDP listener is always of this type
    }

    /** Binds the sockets without receiving. */
    static UdpPort bind(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        return new UdpPort(config, first, workers);
    }

    private int bind(HostPort bind, Workers workers) throws BindException {
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            rejectUnreadableSocket(address, workers);
            List<Integer> inherited = takeInheritedDescriptors(address, workers);
            for (int i = 0; i < inherited.size(); i++) {
                int fd = inherited.get(i);
                Worker worker = workers.all().get(i % workers.all().size());
                UdpSessions handler = new UdpSessions(worker, () -> clients().udpListener());
                Bootstrap adopting = options(new Bootstrap(), workers, worker)
                        .channelFactory(() -> worker.transport().newDatagramChannel(fd))
                        .handler(handler);
                sockets.adopt(adopting, address, "UDP", worker.heartbeat());
            }
            if (!inherited.isEmpty()) {
                return address.getPort();
            }
            for (Worker worker : workers.loops().listeningLoops()) {
                UdpSessions handler = new UdpSessions(worker, () -> clients().udpListener());
                // The port that the system chooses for the first socket is used for all.
                address = sockets.bind(bootstrap(workers, worker).handler(handler), address, "UDP", worker.heartbeat());
            }
            return address.getPort();
        } catch (BindException e) {
            sockets.close();
            Throwable cause = e.getCause();
            throw BindFailure.at(bind.toString(), bind.port(), cause == null ? e : cause);
        }
    }

    /**
     * Rejects an inherited socket that this transport cannot read, because the system would still deliver
     * datagrams to it.
     */
    private void rejectUnreadableSocket(InetSocketAddress address, Workers workers) throws BindException {
        if (!inherits && workers.loops().inherited().has(SharedSocket.Kind.UDP, address)) {
            throw new BindException("the previous process still uses the socket, and with transport: "
                    + workers.loops().transport().label()
                    + " a new process cannot take it over (expected: transport auto or epoll)");
        }
    }

    private List<Integer> takeInheritedDescriptors(InetSocketAddress address, Workers workers) {
        return inherits ? workers.loops().inherited().takeDescriptors(SharedSocket.Kind.UDP, address) : List.of();
    }

    private static Bootstrap options(Bootstrap bootstrap, Workers workers, Worker worker) {
        return DatagramSocketOptions.forClients(bootstrap, worker.transport())
                .group(worker.eventLoop())
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOCATOR, workers.allocator());
    }

    private static Bootstrap bootstrap(Workers workers, Worker worker) {
        Bootstrap bootstrap = options(new Bootstrap(), workers, worker)
                .channel(worker.transport().datagramChannel());
        return worker.transport().sharesPort() ? bootstrap.option(UnixChannelOption.SO_REUSEPORT, true) : bootstrap;
    }

    @Override
    List<SharedSocket> sharedSockets() {
        return inherits ? sockets.sharedSockets(SharedSocket.Kind.UDP) : List.of();
    }

    /**
     * Sockets shared with the successor process stay open, because running sessions still send answers through
     * them. Sockets that are not shared are closed, because the system would continue to deliver unread datagrams
     * to them.
     */
    @Override
    void releaseToSuccessor() {
        if (inherits) {
            sockets.stopReading();
        } else {
            sockets.close();
        }
    }

    @Override
    int port() {
        return port;
    }

    @Override
    void accept() {
        sockets.read();
    }

    /** Returns false, because running sessions still need the sockets. */
    @Override
    boolean stopSockets() {
        return false;
    }

    @Override
    void closeSockets() {
        sockets.close();
    }
}

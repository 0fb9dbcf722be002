package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.udp.Datagrams;
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
 * A UDP port: a socket for each event loop where the system can spread clients over several sockets of one port, always the
 * same one for a client, else one socket. Sessions get their answers out by the socket that they came in by, also those of a
 * listener whose sockets another one has taken over.
 */
final class UdpPort extends FrontendPort<UdpClients> {

    private final BoundSockets sockets = new BoundSockets();
    private final int port;
    private final boolean inherits;

    private UdpPort(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        super(UdpClients.class, config.bind(), config.socket(), first);
        this.inherits = workers.loops().transport().inheritsDatagrams();
        this.port = bind((HostPort) config.bind(), workers); // datagrams have no other
    }

    /** Binds the sockets, without receiving. */
    static UdpPort bind(ListenerConfig config, UdpClients first, Workers workers) throws BindException {
        return new UdpPort(config, first, workers);
    }

    private int bind(HostPort bind, Workers workers) throws BindException {
        InetSocketAddress address = new InetSocketAddress(bind.host(), bind.port());
        try {
            requireNoneUnused(address, workers);
            List<Integer> inherited = inherited(address, workers);
            for (int i = 0; i < inherited.size(); i++) {
                int fd = inherited.get(i);
                Worker worker = workers.all().get(i % workers.all().size());
                UdpSessions handler = new UdpSessions(worker, () -> clients().identity());
                Bootstrap adopting = options(new Bootstrap(), workers, worker)
                        .channelFactory(() -> worker.transport().receivingPort(fd))
                        .handler(handler);
                sockets.adopt(adopting, address, "UDP", worker.heartbeat());
            }
            if (!inherited.isEmpty()) {
                return address.getPort();
            }
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

    /** Beside a socket that nothing reads from, clients would lose what the system gives to that one. */
    private void requireNoneUnused(InetSocketAddress address, Workers workers) throws BindException {
        if (!inherits && workers.loops().inherited().has(SharedSocket.Kind.UDP, address)) {
            throw new BindException("the process before this one has it, and transport: "
                    + workers.loops().transport().label()
                    + " cannot go on with sockets for datagrams (expected: auto or epoll)");
        }
    }

    private List<Integer> inherited(InetSocketAddress address, Workers workers) {
        return inherits ? workers.loops().inherited().take(SharedSocket.Kind.UDP, address) : List.of();
    }

    private static Bootstrap options(Bootstrap bootstrap, Workers workers, Worker worker) {
        return Datagrams.forClients(bootstrap, worker.transport())
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
    List<SharedSocket> shared() {
        return inherits ? sockets.shared(SharedSocket.Kind.UDP) : List.of();
    }

    /**
     * Answers to sessions that run still go out by sockets that the other process has, too. Sockets of our own are closed, or
     * the system would go on giving them datagrams that are not read.
     */
    @Override
    void leaveToOther() {
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

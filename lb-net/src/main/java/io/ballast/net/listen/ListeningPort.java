package io.ballast.net.listen;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.SharedSocket;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Accepts connections on one address until it is closed: by one socket for each event loop where the system can spread
 * connections over several sockets of one port, else by one for all, whose connections are dealt out in turn. Closing
 * leaves connections open.
 *
 * <p>Sockets that the process inherited for that address are gone on with instead of bound. If there are as many as event
 * loops, each loop gets one; else their connections are dealt out in turn, so that no loop stays without.
 *
 * <p>Thread safety: confined to the thread that starts and stops.
 */
public final class ListeningPort implements ListeningSocket {

    private final BoundSockets sockets = new BoundSockets();
    private InetSocketAddress address;

    private ListeningPort(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Starts to accept, or only to listen if {@code options} say that nothing is to be read ({@link ChannelOption#AUTO_READ}):
     * then clients wait in the system's queue until {@link #accept}.
     *
     * @param address a port of 0 has the system choose one
     * @param options the options of sockets and connections, and the handler of connections
     * @param notAccepted told on its event loop of every connection that could not be accepted when it was tried
     * @throws BindException if the address cannot be bound; then nothing stays open. One who inherits is to {@link #accept}
     *     in any case.
     */
    public static <L extends FrontendLoop> ListeningPort bind(
            InetSocketAddress address, FrontendLoops<L> loops, ServerBootstrap options, Consumer<L> notAccepted)
            throws BindException {
        ListeningPort port = new ListeningPort(address);
        try {
            List<Integer> inherited = loops.transport().inheritsPorts()
                    ? loops.inherited().take(SharedSocket.Kind.TCP, address)
                    : List.of();
            for (int i = 0; i < inherited.size(); i++) {
                L loop = loops.listening().get(i % loops.listening().size());
                AcceptPause pause = AcceptPause.forClients(() -> notAccepted.accept(loop));
                boolean even = inherited.size() == loops.listening().size();
                port.adopt(
                        options.clone().handler(pause),
                        loops,
                        loop,
                        even ? loop.eventLoop() : loops.group(),
                        inherited.get(i));
            }
            if (!inherited.isEmpty()) {
                return port;
            }
            for (L loop : loops.listening()) {
                AcceptPause pause = AcceptPause.forClients(() -> notAccepted.accept(loop));
                port.bind(options.clone().handler(pause), loop, loops);
            }
            return port;
        } catch (BindException | RuntimeException | Error e) {
            port.close();
            throw e;
        }
    }

    private void adopt(
            ServerBootstrap bootstrap, FrontendLoops<?> loops, FrontendLoop loop, EventLoopGroup connections, int fd)
            throws BindException {
        AcceptBatch.configure(bootstrap, loops.transport());
        bootstrap
                .group(loop.eventLoop(), connections)
                .channelFactory(() -> loops.transport().acceptingPort(fd));
        address = sockets.adopt(bootstrap, address, "TCP", loop.heartbeat());
    }

    private void bind(ServerBootstrap bootstrap, FrontendLoop loop, FrontendLoops<?> loops) throws BindException {
        boolean sharesPort = loops.transport().sharesPort();
        EventLoopGroup connections = sharesPort ? loop.eventLoop() : loops.group();
        AcceptBatch.configure(bootstrap, loops.transport());
        bootstrap
                .group(loop.eventLoop(), connections)
                .channel(loops.transport().serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true);
        if (sharesPort) {
            bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
        }
        // A port chosen by the system for the first socket is the port of all.
        address = sockets.bind(bootstrap, address, "TCP", loop.heartbeat());
    }

    /** Where it listens; the port is the real one. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public List<SharedSocket> shared() {
        return sockets.shared(SharedSocket.Kind.TCP);
    }

    @Override
    public void takeCharge() {
        sockets.readAgain();
    }

    @Override
    public void accept() {
        sockets.read();
    }

    @Override
    public void stop() {
        sockets.beginClose();
    }

    @Override
    public void close() {
        sockets.close();
    }
}

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
 * Accepts connections on one address until it is closed. If sockets can share a port, each event loop has
 * its own socket and the system distributes connections. Otherwise one socket accepts all connections and
 * distributes them round robin. Closing leaves accepted connections open.
 *
 * <p>Sockets that the process inherited for that address are adopted instead of binding new ones. If the
 * number of inherited sockets equals the number of event loops, each loop gets one socket. Otherwise their
 * connections are distributed round robin, so that every loop gets some.
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
     * Starts to accept connections. If {@code options} disable {@link ChannelOption#AUTO_READ}, it only listens:
     * clients wait in the accept queue until {@link #accept}. Inherited sockets always need a call of {@link
     * #accept}.
     *
     * @param address port 0 lets the operating system choose a port
     * @param options the options of sockets and connections, and the handler of connections
     * @param notAccepted called on its event loop for every failed accept
     * @throws BindException if the address cannot be bound; in this case, no socket stays open
     */
    public static <L extends FrontendLoop> ListeningPort bind(
            InetSocketAddress address, FrontendLoops<L> loops, ServerBootstrap options, Consumer<L> notAccepted)
            throws BindException {
        ListeningPort port = new ListeningPort(address);
        try {
            List<Integer> inherited = loops.transport().inheritsPorts()
                    ? loops.inherited().takeDescriptors(SharedSocket.Kind.TCP, address)
                    : List.of();
            for (int i = 0; i < inherited.size(); i++) {
                L loop = loops.listeningLoops().get(i % loops.listeningLoops().size());
                AcceptBackoff pause = AcceptBackoff.forClients(() -> notAccepted.accept(loop));
                boolean even = inherited.size() == loops.listeningLoops().size();
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
            for (L loop : loops.listeningLoops()) {
                AcceptBackoff pause = AcceptBackoff.forClients(() -> notAccepted.accept(loop));
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
                .channelFactory(() -> loops.transport().newServerChannel(fd));
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
        // With port 0, all sockets use the port that the system chose for the first one.
        address = sockets.bind(bootstrap, address, "TCP", loop.heartbeat());
    }

    /** The listening address, with the actual port. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public List<SharedSocket> sharedSockets() {
        return sockets.sharedSockets(SharedSocket.Kind.TCP);
    }

    @Override
    public void activate() {
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

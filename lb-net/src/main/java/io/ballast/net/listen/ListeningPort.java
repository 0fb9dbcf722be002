package io.ballast.net.listen;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * Accepts connections on one address until it is closed: by one socket for each event loop where the system can spread
 * connections over several sockets of one port, else by one for all, whose connections are dealt out in turn. Closing
 * leaves connections open.
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
     * @throws BindException if the address cannot be bound; then nothing stays open
     */
    public static <L extends FrontendLoop> ListeningPort bind(
            InetSocketAddress address, FrontendLoops<L> loops, ServerBootstrap options, Consumer<L> notAccepted)
            throws BindException {
        ListeningPort port = new ListeningPort(address);
        try {
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

    private void bind(ServerBootstrap bootstrap, FrontendLoop loop, FrontendLoops<?> loops) throws BindException {
        boolean sharesPort = loops.transport().sharesPort();
        EventLoopGroup connections = sharesPort ? loop.eventLoop() : loops.group();
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

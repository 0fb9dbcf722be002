package io.ballast.net.loop;

import io.ballast.core.Checks;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The event loops of a frontend. Closing ends their threads; the owners of sockets must close the sockets
 * first.
 *
 * <p>Thread safety: immutable except for the inherited sockets; started and closed by one thread.
 *
 * @param <L> the frontend's state on each loop
 */
public final class FrontendLoops<L extends FrontendLoop> implements AutoCloseable {

    private static final long QUIET_MILLIS = 10;
    private static final int CLOSE_SECONDS = 2;
    private static final int MAX_WAIT_SECONDS = 5;

    private final NettyTransport transport;
    private final EventLoopGroup group;
    private final List<L> all;
    private volatile InheritedSockets inherited = InheritedSockets.none();

    private FrontendLoops(NettyTransport transport, EventLoopGroup group, List<L> all) {
        this.transport = transport;
        this.group = group;
        this.all = List.copyOf(all);
    }

    /** Creates the frontend's state on one event loop. */
    @FunctionalInterface
    public interface Factory<L extends FrontendLoop> {

        /** @param index the index of the loop, from 0 */
        L make(int index, EventLoop eventLoop, Heartbeat heartbeat);
    }

    /**
     * Starts {@code count} event loops. Each loop begins to tick immediately.
     *
     * @param name the name of the threads and, with a number, of their heartbeats
     */
    public static <L extends FrontendLoop> FrontendLoops<L> start(
            NettyTransport transport, int count, String name, Factory<L> factory) {
        Checks.positive(count, "count");
        MultiThreadIoEventLoopGroup group =
                new ShortTaskEventLoopGroup(count, name, transport.ioHandler().get());
        List<L> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventLoop eventLoop = group.next();
            Heartbeat heartbeat = LoopHeartbeat.of(eventLoop, name + "-" + i, LoopHeartbeat.TIMEOUT);
            L loop = factory.make(i, eventLoop, heartbeat);
            loop.start();
            all.add(loop);
        }
        return new FrontendLoops<>(transport, group, all);
    }

    /**
     * Sets the sockets inherited from another process. A later bind adopts an inherited socket if its address
     * matches.
     */
    public void inherit(InheritedSockets sockets) {
        inherited = sockets;
    }

    /** The inherited sockets; checked before a socket is bound. */
    public InheritedSockets inherited() {
        return inherited;
    }

    /** The transport of the event loops. */
    public NettyTransport transport() {
        return transport;
    }

    /** All loops, as a group that chooses one for each connection. */
    public EventLoopGroup group() {
        return group;
    }

    /** All loops. */
    public List<L> all() {
        return all;
    }

    /** The loops that open their own socket on an address: all, or the first if a port cannot be shared. */
    public List<L> listeningLoops() {
        return transport.sharesPort() ? all : all.subList(0, 1);
    }

    /**
     * Ends the event loops, and waits at most {@value #MAX_WAIT_SECONDS} seconds for their end. On io_uring, a
     * closed socket leaves its event loop only after the kernel has completed its operations. So these loops end
     * only after they have been idle for a tenth of a second.
     */
    @Override
    public void close() {
        all.forEach(loop -> loop.heartbeat().stop());
        long quiet = transport.kind() == TransportKind.IO_URING ? QUIET_MILLIS : 0;
        group.shutdownGracefully(quiet, TimeUnit.SECONDS.toMillis(CLOSE_SECONDS), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    }
}

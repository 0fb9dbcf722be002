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
 * The event loops of a frontend. Closing ends their threads; what has sockets on them closes these before.
 *
 * <p>Thread safety: immutable but for what is inherited; started and closed by one thread.
 *
 * @param <L> what the frontend has on each
 */
public final class FrontendLoops<L extends FrontendLoop> implements AutoCloseable {

    private static final long QUIET_MILLIS = 10;
    private static final int CLOSE_SECONDS = 2;
    private static final int MOST_WAIT_SECONDS = 5;

    private final NettyTransport transport;
    private final EventLoopGroup group;
    private final List<L> all;
    private volatile InheritedSockets inherited = InheritedSockets.none();

    private FrontendLoops(NettyTransport transport, EventLoopGroup group, List<L> all) {
        this.transport = transport;
        this.group = group;
        this.all = List.copyOf(all);
    }

    /** Makes what a frontend has on one event loop. */
    @FunctionalInterface
    public interface Factory<L extends FrontendLoop> {

        /** @param index its number among the loops, from 0 on */
        L make(int index, EventLoop eventLoop, Heartbeat heartbeat);
    }

    /**
     * Starts {@code count} event loops, which tick from now on.
     *
     * @param name of the threads, and, with a number, of their heartbeats
     */
    public static <L extends FrontendLoop> FrontendLoops<L> start(
            NettyTransport transport, int count, String name, Factory<L> factory) {
        Checks.positive(count, "count");
        MultiThreadIoEventLoopGroup group =
                new ShortTurnLoops(count, name, transport.ioHandler().get());
        List<L> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventLoop eventLoop = group.next();
            Heartbeat heartbeat = LoopHeartbeat.of(eventLoop, name + "-" + i, LoopHeartbeat.PATIENCE);
            L loop = factory.make(i, eventLoop, heartbeat);
            loop.start();
            all.add(loop);
        }
        return new FrontendLoops<>(transport, group, all);
    }

    /** Has those who bind go on with the sockets of another process, where these are what they need. */
    public void inherit(InheritedSockets sockets) {
        inherited = sockets;
    }

    /** To be asked before a socket is bound. */
    public InheritedSockets inherited() {
        return inherited;
    }

    /** The system's interface that they run on. */
    public NettyTransport transport() {
        return transport;
    }

    /** All of them, as a group that chooses one for each connection. */
    public EventLoopGroup group() {
        return group;
    }

    /** Each of them. */
    public List<L> all() {
        return all;
    }

    /** The loops that open a socket of their own on an address: all, or the first where a port cannot be shared. */
    public List<L> listening() {
        return transport.sharesPort() ? all : all.subList(0, 1);
    }

    /**
     * Waits for at most {@value #MOST_WAIT_SECONDS} seconds. On io_uring a closed socket leaves its event loop only when
     * the system has ended what was asked of it: the loops turn until they are quiet, a tenth of a second more.
     */
    @Override
    public void close() {
        all.forEach(loop -> loop.heartbeat().stop());
        long quiet = transport.kind() == TransportKind.IO_URING ? QUIET_MILLIS : 0;
        group.shutdownGracefully(quiet, TimeUnit.SECONDS.toMillis(CLOSE_SECONDS), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
    }
}

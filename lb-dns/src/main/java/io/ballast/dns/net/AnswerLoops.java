package io.ballast.dns.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.loop.LoopHeartbeat;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops of a DNS frontend. Closing ends their threads and closes every socket on them. */
public final class AnswerLoops implements AutoCloseable {

    private static final long CLOSE_SECONDS = 5;

    private final NettyTransport transport;
    private final EventLoopGroup group;
    private final List<AnswerLoop> loops = new ArrayList<>();

    private AnswerLoops(NettyTransport transport, int count) {
        this.transport = transport;
        this.group = new MultiThreadIoEventLoopGroup(
                count,
                new DefaultThreadFactory("dns", true),
                transport.ioHandler().get());
    }

    /** Starts {@code count} event loops. */
    public static AnswerLoops start(NettyTransport transport, int count, Answerers answerers) {
        AnswerLoops loops = new AnswerLoops(transport, count);
        for (EventExecutor executor : loops.group) {
            EventLoop loop = (EventLoop) executor;
            Heartbeat heartbeat = LoopHeartbeat.beating(loop, "dns-" + loops.loops.size(), LoopHeartbeat.PATIENCE);
            loops.loops.add(new AnswerLoop(loop, answerers.next(), heartbeat));
        }
        return loops;
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
    public List<AnswerLoop> all() {
        return loops;
    }

    /** The loops that open a socket of their own on an address: all, or the first where a port cannot be shared. */
    public List<AnswerLoop> listening() {
        return transport.sharesPort() ? loops : loops.subList(0, 1);
    }

    @Override
    public void close() {
        loops.forEach(loop -> loop.heartbeat().stop());
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

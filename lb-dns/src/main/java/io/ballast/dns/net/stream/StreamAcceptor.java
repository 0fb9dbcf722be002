package io.ballast.dns.net;

import io.ballast.dns.stats.DnsCounter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes on TCP connections, up to a limit. Thread safety: shared by all event loops. */
@Sharable
public final class TcpAcceptor extends ChannelInitializer<Channel> {

    private final IdentityHashMap<EventLoop, AnswerLoop> loops = new IdentityHashMap<>();
    private final TcpLimits limits;
    private final AtomicInteger open = new AtomicInteger();

    public TcpAcceptor(AnswerLoops loops, TcpLimits limits) {
        loops.all().forEach(loop -> this.loops.put(loop.eventLoop(), loop));
        this.limits = limits;
    }

    @Override
    protected void initChannel(Channel channel) {
        AnswerLoop loop = loops.get(channel.eventLoop());
        if (loop == null) {
            throw new IllegalStateException("a connection on a foreign event loop");
        }
        int connections = open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        if (connections > limits.connections()) {
            loop.count(DnsCounter.CONNECTIONS_REFUSED);
            channel.close();
            return;
        }
        loop.count(DnsCounter.CONNECTIONS);
        channel.pipeline().addLast(new TcpConnection(loop, limits.idle()));
    }
}

package io.ballast.dns.net.stream;

import io.ballast.core.config.DnsTcpConfig;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.loop.FrontendLoops;
import io.netty.channel.EventLoop;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The connections of a frontend: those of each event loop, and what is counted over all.
 *
 * <p>Thread safety: immutable, apart from the counts of clients, which any thread may change.
 */
public final class StreamLoops implements AutoCloseable {

    private final IdentityHashMap<EventLoop, StreamLoop> loops = new IdentityHashMap<>();

    public StreamLoops(FrontendLoops<AnswerLoop> loops, DnsTcpConfig limits) {
        this(loops.all(), limits);
    }

    StreamLoops(List<AnswerLoop> answers, DnsTcpConfig limits) {
        ConnectionsPerClient clients = new ConnectionsPerClient(
                limits.connectionsPerClient() == 0 ? Integer.MAX_VALUE : limits.connectionsPerClient(),
                limits.ipv6PrefixBits());
        // Rounded up: a loop without any place could serve no client.
        int places = (int) ((limits.connections() + answers.size() - 1L) / answers.size());
        answers.forEach(loop -> loops.put(loop.eventLoop(), new StreamLoop(loop, limits, places, clients)));
    }

    /** Closes all connections, and waits until what they hold is released. To be called when the ports are closed. */
    @Override
    public void close() {
        loops.forEach((eventLoop, loop) -> eventLoop.submit(loop::closeAll).awaitUninterruptibly());
        // What closing a connection entails was put behind it in the loop's line.
        loops.keySet().forEach(eventLoop -> eventLoop.submit(() -> {}).awaitUninterruptibly());
    }

    StreamLoop of(EventLoop eventLoop) {
        StreamLoop loop = loops.get(eventLoop);
        if (loop == null) {
            throw new IllegalStateException("a connection on a foreign event loop");
        }
        return loop;
    }
}

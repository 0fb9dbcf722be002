package io.ballast.dns.net.stream;

import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.loop.FrontendLoops;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The connections of a frontend on all event loops, and their totals.
 *
 * <p>Thread safety: any thread may call it, but only one thread at a time may change limits.
 */
public final class StreamLoops implements AutoCloseable {

    private static final Duration RETIREMENT_MARGIN = Duration.ofSeconds(1);

    private final IdentityHashMap<EventLoop, StreamLoop> loops = new IdentityHashMap<>();
    private DnsTcpConfig limits;
    private ConnectionsPerClient clients;

    public StreamLoops(FrontendLoops<AnswerLoop> loops, DnsTcpConfig limits) {
        this(loops.all(), limits);
    }

    StreamLoops(List<AnswerLoop> answers, DnsTcpConfig limits) {
        this.limits = limits;
        this.clients = clients(limits);
        int places = maxConnectionsPerLoop(limits, answers.size());
        answers.forEach(loop -> loops.put(loop.eventLoop(), new StreamLoop(loop, limits, places, clients)));
    }

    private static ConnectionsPerClient clients(DnsTcpConfig limits) {
        return new ConnectionsPerClient(
                limits.connectionsPerClient() == 0 ? Integer.MAX_VALUE : limits.connectionsPerClient(),
                limits.ipv6PrefixBits());
    }

    /**
     * Returns the connection limit of each event loop: the total limit divided by the number of loops. It is
     * rounded up, because a loop with a limit of 0 could not serve any client.
     */
    private static int maxConnectionsPerLoop(DnsTcpConfig limits, int loops) {
        return (int) ((limits.connections() + loops - 1L) / loops);
    }

    /**
     * Activates new limits asynchronously on each event loop. A client that exceeds the new limit keeps its
     * connections.
     */
    public void limits(DnsTcpConfig next) {
        if (next.equals(limits)) {
            return;
        }
        boolean sameClients = next.connectionsPerClient() == limits.connectionsPerClient()
                && next.ipv6PrefixBits() == limits.ipv6PrefixBits();
        limits = next;
        clients = sameClients ? clients : clients(next);
        ConnectionsPerClient counted = clients;
        int places = maxConnectionsPerLoop(next, loops.size());
        loops.forEach((eventLoop, loop) -> eventLoop.execute(() -> loop.setLimits(next, places, counted)));
    }

    /** Time after which all closing connections have ended. */
    public long retirementNanos() {
        return limits.message().plus(RETIREMENT_MARGIN).toNanos();
    }

    /** Closes all connections of a protocol, each as soon as it is idle; returns immediately. */
    public void retire(StreamService service) {
        service.retire();
        loops.forEach((eventLoop, loop) -> eventLoop.execute(() -> loop.retire(service)));
    }

    /**
     * Closes all connections, and waits until their resources are released. Must be called after the ports are
     * closed.
     */
    @Override
    public void close() {
        loops.forEach((eventLoop, loop) -> eventLoop.submit(loop::closeAll).awaitUninterruptibly());
        // Waits for an empty task on each event loop. It runs after the tasks that closing the connections has
        // queued.
        loops.keySet().forEach(eventLoop -> eventLoop.submit(() -> {}).awaitUninterruptibly());
    }

    StreamLoop of(EventLoop eventLoop) {
        StreamLoop loop = loops.get(eventLoop);
        if (loop == null) {
            throw new IllegalStateException("the connection belongs to a different event loop");
        }
        return loop;
    }
}

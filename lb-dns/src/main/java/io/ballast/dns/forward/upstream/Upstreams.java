package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.question.Question;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.collection.IntObjectHashMap;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers that one event loop queries, and its sockets to them. Sockets are opened on demand and replaced
 * after some time. They are closed when a server leaves the configuration or its address changes.
 *
 * <p>Confined to that event loop, except for the constructor.
 */
public final class Upstreams implements AutoCloseable {

    /** Value of {@code client} for queries that this process sends for itself, not for a client. */
    public static final long NO_CLIENT = 0;

    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

    private final UpstreamLoop loop;
    private final IntObjectHashMap<UpstreamServer> servers = new IntObjectHashMap<>();
    /** Retired servers that still have outstanding queries. */
    private final List<UpstreamServer> drainingServers = new ArrayList<>();

    private final Sweep sweep = new Sweep();
    private boolean isSweepScheduled;
    private boolean closed;

    /** @param counters the counters of this loop */
    public Upstreams(
            FrontendLoop loop,
            NettyTransport transport,
            UpstreamSettings settings,
            Counters.Shard<UpstreamCounter> counters) {
        this(loop, transport, new ReflectiveChannelFactory<>(transport.datagramChannel()), settings, counters);
    }

    /** @param udpSockets factory of UDP sockets; tests pass their own factory */
    Upstreams(
            FrontendLoop loop,
            NettyTransport transport,
            ChannelFactory<? extends DatagramChannel> udpSockets,
            UpstreamSettings settings,
            Counters.Shard<UpstreamCounter> counters) {
        this.loop = new UpstreamLoop(
                loop, transport, udpSockets, settings, counters, new UnpredictableNumbers(new SecureRandom()));
    }

    /**
     * Queries one server.
     *
     * @param path path of the request for {@link UpstreamProtocol#DOH}; unused otherwise
     * @param client a number that identifies the client for fair sharing; {@link #NO_CLIENT} for none
     * @param isRepeated whether an earlier attempt with the same question is still unanswered; half of the capacity is
     *     reserved for questions that are not repeated
     * @param listener listener that is called exactly once after this method has returned, unless the attempt is
     *     cancelled
     */
    public Attempt query(
            Backend backend,
            Question question,
            UpstreamProtocol protocol,
            String path,
            long client,
            boolean isRepeated,
            Attempt.Listener listener) {
        UpstreamServer server = server(backend);
        boolean isFull = !server.hasCapacity(protocol, client, isRepeated);
        Attempt attempt = new Attempt(loop, server, question, protocol, path, client, listener);
        if (closed) {
            attempt.failLater(AttemptFailure.CLOSED);
        } else if (isFull) {
            attempt.failLater(AttemptFailure.TOO_MANY);
        }
        loop.sendLater(attempt);
        return attempt;
    }

    private UpstreamServer server(Backend backend) {
        UpstreamServer server = servers.get(backend.id());
        if (server == null) {
            server = new UpstreamServer(loop, backend);
            servers.put(backend.id(), server);
            scheduleSweep();
        }
        return server;
    }

    /** Applies the settings of a reload to new queries. */
    public void settings(UpstreamSettings next) {
        loop.settings(next);
        servers.values().forEach(UpstreamServer::updateTls);
    }

    /**
     * Retires the sockets to a server; pending queries are still answered. Servers that were removed from the
     * configuration are retired without this call.
     */
    public void drainServer(Backend backend) {
        UpstreamServer server = servers.remove(backend.id());
        if (server != null) {
            drainingServers.add(server);
            server.drain();
        }
    }

    /** The number of running attempts. */
    public int outstandingCount() {
        return loop.outstandingCount();
    }

    /** The number of open sockets of all protocols. */
    public int socketCount() {
        int sockets = 0;
        for (UpstreamServer server : servers.values()) {
            sockets += server.socketCount();
        }
        for (UpstreamServer server : drainingServers) {
            sockets += server.socketCount();
        }
        return sockets;
    }

    /** Closes all sockets. Pending queries fail immediately; later queries fail asynchronously. */
    @Override
    public void close() {
        closed = true;
        loop.frontendLoop().deadlines().remove(sweep);
        loop.close();
        List.copyOf(servers.values()).forEach(UpstreamServer::close);
        List.copyOf(drainingServers).forEach(UpstreamServer::close);
    }

    private void scheduleSweep() {
        if (!isSweepScheduled && !closed) {
            isSweepScheduled = true;
            loop.frontendLoop().setDeadline(sweep, SWEEP_INTERVAL);
        }
    }

    private final class Sweep extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            isSweepScheduled = false;
            for (UpstreamServer server : List.copyOf(servers.values())) {
                if (server.backend().isRemoved()) {
                    drainServer(server.backend());
                } else {
                    server.sweep();
                }
            }
            drainingServers.removeIf(UpstreamServer::isIdle);
            if (!servers.isEmpty() || !drainingServers.isEmpty()) {
                scheduleSweep();
            }
        }
    }
}

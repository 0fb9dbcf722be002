package io.ballast.replication.limit;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.cluster.observation.ObservationSender;
import io.ballast.core.ErrorText;
import io.ballast.core.hash.SipHash24;
import io.ballast.policy.share.KeyShares;
import io.ballast.policy.share.LimitExchange;
import io.ballast.policy.share.SharedLimit;
import io.ballast.replication.limit.LimitMessage.Part;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides the limits of this process among the nodes of its cluster: each second, each node sends one message to each
 * other node with which it shares a limit. {@link LimitDivision} has the rules.
 *
 * <p>Bounds: {@value LimitMessage#MAX_KEYS} keys of this node in a message, and as many loans; {@value
 * LimitMessage#MAX_LIMITS} limits, further limits are divided equally without loans; {@value #MAX_WAITING_BYTES} bytes
 * of received messages that are not processed yet, further messages are dropped and counted.
 *
 * <p>Thread-safe. Starts one thread, which does all the work.
 */
public final class ClusterLimits implements LimitExchange, MeshListener, AutoCloseable {

    /** The kind of the messages. */
    public static final int KIND = Mesh.FIRST_KIND + 34;

    static final int MAX_WAITING_BYTES = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ClusterLimits.class);
    private static final double NANOS_PER_SECOND = LimitRounds.ROUND_NANOS;

    private final LimitCounters counters = new LimitCounters();
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private final Map<Long, LimitDivision> limits = new LinkedHashMap<>();
    private final LimitRounds rounds = new LimitRounds();
    private final LimitPeers peers;
    private final LimitHashes hashes;
    private final ScheduledExecutorService thread;
    private final LongSupplier nanoTime;
    private final int configuredNodes;
    private long lastRoundNanos;
    private volatile ObservationSender sender = (node, kind, message) -> false;
    private volatile LimitStats stats = LimitStats.NONE;

    /**
     * @param hashes the hashes that all nodes have in common
     * @param voters the nodes of the configuration
     */
    public ClusterLimits(LimitHashes hashes, List<String> voters) {
        this(
                hashes,
                voters,
                Executors.newSingleThreadScheduledExecutor(task -> {
                    Thread created = new Thread(task, "cluster-limits");
                    created.setDaemon(true);
                    return created;
                }),
                System::nanoTime);
    }

    /** @param thread runs all tasks, one at a time; {@link #close} ends it */
    ClusterLimits(LimitHashes hashes, List<String> voters, ScheduledExecutorService thread, LongSupplier nanoTime) {
        this.hashes = hashes;
        this.peers = new LimitPeers(voters);
        this.configuredNodes = voters.size();
        this.thread = thread;
        this.nanoTime = nanoTime;
        this.lastRoundNanos = nanoTime.getAsLong();
        scheduleRound();
    }

    private void scheduleRound() {
        try {
            thread.schedule(
                    () -> {
                        scheduleRound();
                        run(this::round);
                    },
                    LimitRounds.ROUND_NANOS,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the exchange of limits is closed");
        }
    }

    /**
     * Begins to send.
     *
     * @param self the name of this node
     * @param target sends messages to the nodes that were reported to this object as connected
     */
    public void start(String self, ObservationSender target) {
        execute(() -> peers.setSelf(self));
        sender = target;
    }

    /** The limits that this node shares; they change with each round. */
    public LimitStats stats() {
        return stats;
    }

    public LimitCounters counters() {
        return counters;
    }

    @Override
    public SipHash24 hash(String limit) {
        return hashes.keyHash(limit);
    }

    @Override
    public void join(SharedLimit limit) {
        limit.use(new KeyShares(1.0 / configuredNodes, Map.of(), nanoTime.getAsLong()));
        execute(() -> limits.put(hashes.id(limit.identity()), new LimitDivision(limit)));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a limit with the same identity may have replaced it
    public void leave(SharedLimit limit) {
        execute(() -> limits.values().removeIf(division -> division.limit() == limit));
    }

    /** Forgets a node that will not return, so that its part is divided among the other nodes. */
    public void forget(String node) {
        execute(() -> {
            peers.forget(node);
            limits.values().forEach(division -> division.reset(node));
        });
    }

    // ---- messages

    @Override
    public void connected(ClusterNode peer) {
        execute(() -> {
            beginProcess(peer);
            peers.connected(peer.node(), peer.incarnation(), nanoTime.getAsLong());
        });
    }

    @Override
    public void disconnected(ClusterNode peer) {
        execute(() -> peers.disconnected(peer.node(), peer.incarnation(), nanoTime.getAsLong()));
    }

    @Override
    public void received(ClusterNode node, int kind, byte[] message) {
        if (kind != KIND) {
            return;
        }
        if (waitingBytes.addAndGet(message.length) > MAX_WAITING_BYTES) {
            waitingBytes.addAndGet(-message.length);
            counters.countDropped();
            return;
        }
        execute(() -> {
            waitingBytes.addAndGet(-message.length);
            counters.countReceived(message.length);
            try {
                receive(node, LimitMessage.decode(message));
            } catch (IOException e) {
                counters.countDropped();
                LOG.debug("node={} msg=\"malformed message about limits\" reason=\"{}\"", node.node(), ErrorText.of(e));
            }
        });
    }

    private void beginProcess(ClusterNode node) {
        if (!peers.isCurrent(node.node(), node.incarnation())) {
            // the loans of the previous process have ended
            limits.values().forEach(division -> division.reset(node.node()));
        }
    }

    private void receive(ClusterNode node, LimitMessage message) {
        long now = nanoTime.getAsLong();
        beginProcess(node);
        LimitPeers.Peer peer = peers.of(node.node(), node.incarnation(), now);
        if (peer == null || message.round() <= peer.round()) {
            return;
        }
        peer.received(message.round(), now, message.limits().keySet());
        boolean isKnown = rounds.isKnown(message.echo());
        long endNanos = isKnown ? rounds.startNanos(message.echo()) + PeerLimit.LEASE_NANOS : now - 1;
        limits.forEach((id, division) -> {
            Part part = message.limits().get(id);
            if (part == null) {
                division.reset(node.node());
            } else {
                division.received(node.node(), part, isKnown ? message.echo() : 0, endNanos);
            }
        });
        if (limits.isEmpty() && !message.limits().isEmpty()) { // informs the node that no limit is shared
            send(node.node(), new LimitMessage(rounds.next(now), message.round(), Map.of()));
        }
    }

    private void send(String node, LimitMessage message) {
        byte[] bytes = message.encode();
        counters.countSent(bytes.length, sender.send(node, KIND, bytes));
    }

    // ---- rounds

    private void round() {
        long now = nanoTime.getAsLong();
        peers.removeOld(now).forEach(node -> limits.values().forEach(division -> division.reset(node)));
        double seconds = (now - lastRoundNanos) / NANOS_PER_SECOND;
        if (limits.isEmpty() || seconds <= 0) {
            lastRoundNanos = now;
            stats = LimitStats.NONE;
            return;
        }
        lastRoundNanos = now;
        long number = rounds.next(now);
        Map<String, Long> heard = peers.heard(now);
        int maxKeys = Math.max(1, LimitMessage.MAX_KEYS / limits.size());
        Map<String, Map<Long, Part>> parts = new HashMap<>();
        limits.forEach((id, division) -> {
            int nodes = peers.sharing(id).size();
            division.round(new LimitDivision.Round(number, now, seconds, nodes, maxKeys, heard))
                    .forEach((node, part) -> addPart(parts, node, id, part));
        });
        peers.connected().forEach((node, echo) -> {
            Map<Long, Part> all = parts.computeIfAbsent(node, this::noParts);
            send(node, new LimitMessage(number, echo, all));
        });
        stats = LimitStats.of(limits, peers);
    }

    private static void addPart(Map<String, Map<Long, Part>> parts, String node, long id, Part part) {
        Map<Long, Part> all = parts.computeIfAbsent(node, added -> new LinkedHashMap<>());
        if (all.size() < LimitMessage.MAX_LIMITS) {
            all.put(id, part);
        }
    }

    /** Returns the content of a message to a node that has not sent one yet: all limits, without demands and loans. */
    private Map<Long, Part> noParts(String node) {
        Map<Long, Part> all = new LinkedHashMap<>();
        limits.keySet().stream().limit(LimitMessage.MAX_LIMITS).forEach(id -> all.put(id, LimitDivision.nothing()));
        return all;
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("the exchange of limits is closed");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("cluster=limits_failed", e);
        }
    }

    /** Ends the thread. Each node then uses its own part of each limit. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.ballast.replication.limit;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.policy.config.Rate;
import io.ballast.policy.rate.SharedRateTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Nodes that share one limit, with messages that take a random time of up to {@value #MAX_DELAY_MILLIS} ms. No time
 * passes until the test advances it. Confined to one thread.
 */
final class SharingNodes {

    static final int STEP_MILLIS = 10;
    static final long KEY = 0x1234_5678_9abc_def1L;

    private static final int MAX_DELAY_MILLIS = 100;
    private static final double STEPS_PER_SECOND = 1000.0 / STEP_MILLIS;

    final ManualScheduler scheduler = new ManualScheduler();
    final SplittableRandom random;
    final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Rate rate;
    private final List<Integer> admitted = new ArrayList<>();
    private final Set<String> cut = new HashSet<>();
    private final List<String> voters;

    SharingNodes(long seed, Rate rate, List<String> voters) {
        this.random = new SplittableRandom(seed);
        this.rate = rate;
        this.voters = voters;
    }

    /** A node. */
    final class Node {
        final ClusterNode self;
        final ClusterLimits limits;
        final SharedRateTable table =
                new SharedRateTable("limit\nof the test", List.of(rate), 1_000, true, scheduler::nanoTime);
        int admitted;
        private double due;
        private final Map<String, Long> arrivals = new LinkedHashMap<>();

        private Node(String name) {
            self = new ClusterNode(
                    name, 1 + scheduler.nanoTime(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7946));
            LimitHashes hashes = new LimitHashes("edge".getBytes(StandardCharsets.UTF_8));
            limits = new ClusterLimits(hashes, voters, scheduler, scheduler::nanoTime);
            limits.start(name, (to, kind, message) -> {
                Node target = nodes.get(to);
                if (target == null || cut.contains(name + ">" + to)) {
                    return false;
                }
                long arrival = Math.max(
                        arrivals.getOrDefault(to, 0L), // messages stay in order
                        scheduler.nanoTime() + random.nextLong(MAX_DELAY_MILLIS * 1_000_000L));
                arrivals.put(to, arrival);
                scheduler.schedule(
                        () -> target.limits.received(self, kind, message),
                        arrival - scheduler.nanoTime(),
                        TimeUnit.NANOSECONDS);
                return true;
            });
        }

        /** Sends requests with the same key at a rate, for one step. */
        void request(double perSecond) {
            request(KEY, perSecond);
        }

        void request(long key, double perSecond) {
            due += perSecond / STEPS_PER_SECOND;
            for (; due >= 1; due--) {
                if (table.charge(key, scheduler.nanoTime(), 0) == 0) {
                    admitted++;
                }
            }
        }

        /** The share of the limit that this node may use now. */
        double share() {
            return 1 / table.cost(KEY, scheduler.nanoTime());
        }
    }

    Node add(String name) {
        scheduler.advance(Duration.ofMillis(random.nextInt(1_000))); // the rounds of nodes begin at different times
        Node added = new Node(name);
        nodes.put(name, added);
        return added;
    }

    /** Adds a node that shares the limit, and connects it to the other nodes. */
    Node join(String name) {
        Node node = add(name);
        node.limits.join(node.table);
        connect(name);
        return node;
    }

    void connect(String name) {
        for (Node other : nodes.values()) {
            if (!other.self.node().equals(name)) {
                cut.remove(name + ">" + other.self.node());
                cut.remove(other.self.node() + ">" + name);
                other.limits.connected(nodes.get(name).self);
                nodes.get(name).limits.connected(other.self);
            }
        }
    }

    /** Drops all messages to and from a node. The nodes notice this after some seconds. */
    void cut(String name) {
        for (Node other : nodes.values()) {
            String peer = other.self.node();
            if (!peer.equals(name)) {
                cut.add(name + ">" + peer);
                cut.add(peer + ">" + name);
                scheduler.schedule(
                        () -> {
                            other.limits.disconnected(nodes.get(name).self);
                            nodes.get(name).limits.disconnected(other.self);
                        },
                        4_000 + random.nextInt(4_000),
                        TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Ends a step, in which requests were sent. */
    void step() {
        int sum = nodes.values().stream().mapToInt(node -> node.admitted).sum();
        admitted.add(sum);
        scheduler.advance(Duration.ofMillis(STEP_MILLIS));
    }

    void advance(Duration time) {
        scheduler.advance(time);
    }

    int admitted() {
        return nodes.values().stream().mapToInt(node -> node.admitted).sum();
    }

    /**
     * The largest number of requests that were admitted in any period, divided by the limit for this period. The limit
     * is one burst, plus the requests that the rate permits. One request for each node is not counted, because a node
     * always admits one.
     */
    double worstRatio() {
        double worst = 0;
        double perStep = rate.count() / (rate.period().toMillis() / (double) STEP_MILLIS);
        for (int from = 0; from < admitted.size(); from++) {
            int before = from == 0 ? 0 : admitted.get(from - 1);
            for (int to = from; to < admitted.size(); to++) {
                double limit = rate.burst() + perStep * (to - from);
                worst = Math.max(worst, (admitted.get(to) - before - nodes.size()) / limit);
            }
        }
        return worst;
    }
}

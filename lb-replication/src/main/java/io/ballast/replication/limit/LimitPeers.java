package io.ballast.replication.limit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The other nodes, among which limits are divided: those of the configuration, and those that were connected in the
 * last {@value #REMEMBERED_MINUTES} minutes. A node that is not connected keeps its part, because it may serve alone.
 * Confined to one thread.
 */
final class LimitPeers {

    static final int REMEMBERED_MINUTES = 10;

    /** After this time without a message, the demands of a node are outdated. */
    static final long SILENCE_NANOS = 3 * LimitRounds.ROUND_NANOS;

    private static final long REMEMBERED_NANOS = REMEMBERED_MINUTES * 60 * LimitRounds.ROUND_NANOS;

    private final Map<String, Peer> peers = new HashMap<>();
    private final Set<String> forgotten = new HashSet<>();
    private final Set<String> voters;
    private String self = "";

    LimitPeers(List<String> voters) {
        this.voters = Set.copyOf(voters);
    }

    /** A node, with its last message. */
    static final class Peer {
        private final long incarnation;
        private boolean isConnected;
        private long leftNanos;
        private long round;
        private long heardNanos;
        private @Nullable Set<Long> limits;

        private Peer(long incarnation, long now) {
            this.incarnation = incarnation;
            this.leftNanos = now;
        }

        /** The last round that was received; 0 for none. */
        long round() {
            return round;
        }

        /** The limits of the last message; null before the first message. */
        @Nullable Set<Long> limits() {
            return limits;
        }

        void received(long number, long now, Set<Long> ids) {
            round = number;
            heardNanos = now;
            limits = Set.copyOf(ids);
        }
    }

    void setSelf(String node) {
        self = node;
    }

    /** Returns a process of a node; null if a later process is known. */
    @Nullable Peer of(String node, long incarnation, long now) {
        Peer known = peers.get(node);
        if (known != null && known.incarnation > incarnation) {
            return null;
        }
        if (known == null || known.incarnation < incarnation) {
            known = new Peer(incarnation, now);
            peers.put(node, known);
        }
        return known;
    }

    void connected(String node, long incarnation, long now) {
        forgotten.remove(node);
        Peer peer = of(node, incarnation, now);
        if (peer != null) {
            peer.isConnected = true;
        }
    }

    void disconnected(String node, long incarnation, long now) {
        Peer peer = peers.get(node);
        if (peer != null && peer.incarnation == incarnation) {
            peer.isConnected = false;
            peer.leftNanos = now;
        }
    }

    /** Whether this is a known process of a node. */
    boolean isCurrent(String node, long incarnation) {
        Peer peer = peers.get(node);
        return peer != null && peer.incarnation == incarnation;
    }

    /** Removes a node that will not return, so that its part is divided among the other nodes. */
    void forget(String node) {
        peers.remove(node);
        forgotten.add(node);
    }

    /** Removes the nodes that were not connected for a long time, and returns their names. */
    Set<String> removeOld(long now) {
        Set<String> removed = new HashSet<>();
        peers.forEach((node, peer) -> {
            if (!peer.isConnected && !voters.contains(node) && now - peer.leftNanos > REMEMBERED_NANOS) {
                removed.add(node);
            }
        });
        peers.keySet().removeAll(removed);
        return removed;
    }

    /** The nodes that have sent a message lately, with the time of the last message. */
    Map<String, Long> heard(long now) {
        Map<String, Long> heard = new HashMap<>();
        peers.forEach((node, peer) -> {
            if (peer.round > 0 && peer.isConnected && now - peer.heardNanos <= SILENCE_NANOS) {
                heard.put(node, peer.heardNanos);
            }
        });
        return heard;
    }

    /** The connected nodes with the last round that was received from each. */
    Map<String, Long> connected() {
        Map<String, Long> connected = new HashMap<>();
        peers.forEach((node, peer) -> {
            if (peer.isConnected) {
                connected.put(node, peer.round);
            }
        });
        return connected;
    }

    /** The nodes among which a limit is divided: this node, and all other nodes that may have the limit. */
    Set<String> sharing(long limit) {
        Set<String> all = new TreeSet<>(voters);
        all.removeAll(forgotten);
        all.addAll(peers.keySet());
        all.removeIf(node -> {
            Peer peer = peers.get(node);
            return peer != null && peer.limits != null && !peer.limits.contains(limit);
        });
        if (!self.isEmpty()) {
            all.add(self);
        }
        return all;
    }
}

package io.ballast.replication.limit;

import io.ballast.policy.share.KeyShares;
import io.ballast.policy.share.SharedLimit;
import io.ballast.replication.limit.LimitMessage.Entry;
import io.ballast.replication.limit.LimitMessage.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Divides one limit among the nodes. Each node owns an equal part of the limit for each key. If a node does not need
 * its whole part for its own clients, it lends the rest to nodes that need more than their part. So the shares of all
 * nodes together are at most the limit, without any agreement.
 *
 * <p>A node that has lent its part still uses {@link #FLOOR} of it, so that its clients are never refused altogether
 * until it gets the part back. This is why all nodes together may exceed the limit, by at most a quarter.
 *
 * <p>The backlog moves with a part: if half of the burst of a part is used up, a node that borrows the part gets only
 * the other half. Otherwise, the burst could be used once on each node.
 *
 * <p>Confined to one thread.
 */
final class LimitDivision {

    /** The fraction of its part of the limit that a node may use for its own clients while it lends the part. */
    static final double FLOOR = 0.25;

    /** The maximum number of keys for which this node lends its part of the limit. */
    static final int MAX_LENT_KEYS = 50_000;

    /** Needs of this node's own clients below this fraction of its part are ignored: it lends the part. */
    private static final double LEAST_NEED = 1.0 / 16;

    private static final double LEAST_LOAN = 1.0 / 1024;

    private final Map<String, PeerLimit> peers = new HashMap<>();
    private final SharedLimit limit;
    private final KeyNeeds needs;
    private int changedKeys;

    LimitDivision(SharedLimit limit) {
        this.limit = limit;
        this.needs = new KeyNeeds(limit);
    }

    /**
     * A round.
     *
     * @param nanos when the round began
     * @param seconds the time since the last round
     * @param nodes the number of nodes among which the limit is divided
     * @param maxKeys the maximum number of keys to exchange
     * @param heardNanos when the last message from each node that is not silent was received
     */
    record Round(long number, long nanos, double seconds, int nodes, int maxKeys, Map<String, Long> heardNanos) {}

    SharedLimit limit() {
        return limit;
    }

    /** The number of keys for which this node lent or borrowed a part of the limit in the last round. */
    int changedKeys() {
        return changedKeys;
    }

    /**
     * Receives the part of a message from another node that concerns this limit.
     *
     * @param applied the last round of this node that the other node had applied
     * @param endNanos when the loans of the message end
     */
    void received(String node, Part part, long applied, long endNanos) {
        PeerLimit peer = peers.computeIfAbsent(node, added -> new PeerLimit());
        peer.applied(applied);
        peer.received(part, endNanos);
    }

    /** Called when the process of a node has ended, or the node no longer has the limit. */
    void reset(String node) {
        PeerLimit peer = peers.get(node);
        if (peer != null) {
            peer.reset();
        }
    }

    /** Sets the shares of this node until the next round, and returns the part of the message to each node. */
    Map<String, Part> round(Round round) {
        double base = 1.0 / round.nodes();
        needs.update(round.seconds(), base * LEAST_NEED, round.maxKeys());
        peers.forEach((node, peer) -> {
            if (!round.heardNanos().containsKey(node)) {
                peer.forgetMessages();
            }
        });
        Map<String, Map<Long, Float>> loans = loans(round, base);
        loans.forEach((node, shares) ->
                peer(node).lend(round.number(), round.heardNanos().getOrDefault(node, round.nanos()), shares));
        Set<Long> borrowing = applyShares(base, round.nanos());
        List<Entry> demands = demands(base, borrowing, round.maxKeys());
        Map<String, Part> parts = new HashMap<>();
        round.heardNanos()
                .keySet()
                .forEach(node -> parts.put(node, new Part(demands, entries(loans.getOrDefault(node, Map.of())))));
        return parts;
    }

    /**
     * Returns the part of a message to a node that has not sent a message yet. The demands are sent with the next
     * round.
     */
    static Part nothing() {
        return new Part(List.of(), List.of());
    }

    private PeerLimit peer(String node) {
        return peers.computeIfAbsent(node, added -> new PeerLimit());
    }

    private List<Entry> entries(Map<Long, Float> shares) {
        List<Entry> entries = new ArrayList<>();
        shares.forEach((key, share) -> entries.add(new Entry(key, share, limit.backlog(key))));
        return entries;
    }

    // ---- lending

    private Map<String, Map<Long, Float>> loans(Round round, double base) {
        Map<Long, Double> unmet = new HashMap<>();
        peers.values()
                .forEach(peer -> peer.demands().values().forEach(demand -> {
                    if (demand.amount() > base && unmet.size() < MAX_LENT_KEYS) {
                        unmet.merge(demand.key(), demand.amount() - base, Double::sum);
                    }
                }));
        Map<String, Map<Long, Float>> all = new HashMap<>();
        for (String node : round.heardNanos().keySet()) {
            Map<Long, Float> loans = new HashMap<>();
            peer(node).demands().values().forEach(demand -> {
                Double total = unmet.get(demand.key());
                if (total != null && demand.amount() > base) {
                    double free = base - Math.min(base, needs.of(demand.key()));
                    double share = free * (demand.amount() - base) / total;
                    if (share >= LEAST_LOAN) {
                        loans.put(demand.key(), (float) share);
                    }
                }
            });
            all.put(node, loans);
        }
        return all;
    }

    private List<Entry> demands(double base, Set<Long> borrowing, int maxKeys) {
        List<Entry> demands = new ArrayList<>();
        borrowing.forEach(key -> demands.add(demand(key)));
        needs.all().forEach((key, need) -> {
            if (need > base && !borrowing.contains(key)) {
                demands.add(demand(key));
            }
        });
        if (demands.size() <= maxKeys) {
            return demands;
        }
        demands.sort(Comparator.comparingDouble(Entry::amount).reversed());
        return List.copyOf(demands.subList(0, maxKeys));
    }

    private Entry demand(long key) {
        return new Entry(key, (float) needs.of(key), limit.backlog(key));
    }

    // ---- shares of this node

    /** Returns the keys for which this node has borrowed a part of the limit in this round or in the last one. */
    private Set<Long> applyShares(double base, long now) {
        Map<Long, KeyChange> changes = new HashMap<>();
        Set<Long> borrowing = new HashSet<>();
        for (PeerLimit peer : peers.values()) {
            Map<Long, Float> lent = peer.lent(now);
            Map<Long, Entry> borrowed = peer.borrowed(now);
            peer.lentBefore()
                    .forEach((key, share) -> change(changes, key)
                            .lentBefore(
                                    share,
                                    share > lent.getOrDefault(key, 0f) ? peer.backlog(key, limit.rates()) : null));
            lent.forEach((key, share) -> change(changes, key).lentNow(share));
            borrowed.forEach((key, loan) -> change(changes, key)
                    .borrowedNow(loan.amount(), peer.borrowedBefore().getOrDefault(key, 0f), loan.backlog()));
            borrowing.addAll(peer.borrowedBefore().keySet());
            borrowing.addAll(borrowed.keySet());
            peer.endRound(lent, borrowed);
        }
        Map<Long, Double> shares = new HashMap<>();
        changes.forEach((key, change) -> {
            if (change.hasGain()) {
                limit.setBacklog(key, change.backlog(base, limit.backlog(key)));
            }
            shares.put(key, change.share(base));
        });
        changedKeys = shares.size();
        limit.use(new KeyShares(base, shares, now + LimitRounds.MAX_ROUND_NANOS));
        return borrowing;
    }

    private KeyChange change(Map<Long, KeyChange> changes, long key) {
        return changes.computeIfAbsent(key, added -> new KeyChange(limit.rates()));
    }
}

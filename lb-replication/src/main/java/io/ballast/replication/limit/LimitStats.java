package io.ballast.replication.limit;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits that this node shares. Immutable.
 *
 * @param limits the limits, in the order in which they were added
 */
public record LimitStats(List<Limit> limits) {

    static final LimitStats NONE = new LimitStats(List.of());

    public LimitStats {
        limits = List.copyOf(limits);
    }

    /**
     * A limit.
     *
     * @param policy the name of the policy
     * @param nodes the nodes among which the limit is divided, including this node
     * @param keys the number of keys for which this node lends or borrows a part
     */
    public record Limit(String policy, Set<String> nodes, int keys) {

        public Limit {
            nodes = Set.copyOf(nodes);
        }
    }

    static LimitStats of(Map<Long, LimitDivision> limits, LimitPeers peers) {
        return new LimitStats(limits.entrySet().stream()
                .map(entry -> {
                    String identity = entry.getValue().limit().identity();
                    return new Limit(
                            identity.substring(0, identity.indexOf('\n')),
                            peers.sharing(entry.getKey()),
                            entry.getValue().changedKeys());
                })
                .toList());
    }
}

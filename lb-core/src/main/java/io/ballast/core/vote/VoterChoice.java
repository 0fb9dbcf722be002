package io.ballast.core.vote;

import io.ballast.core.balance.Hash64;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the nodes that check a backend, by rendezvous hashing (Thaler and Ravishankar,
 * <a href="https://doi.org/10.1109/90.663936">Using Name-Based Mappings to Increase Hit Rates</a>, 1998): all nodes
 * choose the same nodes, and each node checks a similar share of the backends. A node that leaves is replaced by one
 * other node for each of its backends. Stateless.
 */
final class VoterChoice {

    private VoterChoice() {}

    /** Returns at most {@code voters} of the nodes. Cost: one hash for each node, and sorting. */
    static Set<String> of(String backend, Collection<String> nodes, int voters) {
        if (voters >= nodes.size()) {
            return Set.copyOf(nodes);
        }
        return nodes.stream()
                .sorted(Comparator.comparingLong((String node) -> rank(backend, node))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(voters)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static long rank(String backend, String node) {
        byte[] bytes = (node + '\n' + backend).getBytes(StandardCharsets.UTF_8);
        return Hash64.of(bytes, 0, bytes.length);
    }
}

package io.ballast.core.config.vote;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * Configures how the nodes of a cluster vote on the health of a pool's backends. Has no effect on a process that is
 * not in a cluster.
 *
 * @param quorum how many nodes must reach a backend; if absent, {@link Quorum#MAJORITY} with {@code voters} or if only
 *     DNS uses the pool, otherwise {@link Quorum#LOCAL}
 * @param voters the number of nodes that check each backend; {@link #ALL_NODES} for all of them
 */
public record VotingConfig(Optional<Quorum> quorum, int voters) {

    /** The value of {@code voters} if all nodes check each backend. */
    public static final int ALL_NODES = 0;

    public static final VotingConfig DEFAULT = new VotingConfig(Optional.empty(), ALL_NODES);

    public VotingConfig {
        Checks.between(voters, ALL_NODES, Quorum.MAX_NODES, "voters");
        if (voters != ALL_NODES && quorum.isPresent()) {
            Checks.that(
                    !quorum.get().isLocal(), "voters", voters, "not with quorum local, for which every node checks");
            Checks.that(quorum.get().nodes() <= voters, "quorum", quorum.get(), "at most voters, which is " + voters);
        }
    }

    /**
     * Returns the quorum that applies.
     *
     * @param byUse the default quorum of a pool that all nodes check; it depends on what uses the pool
     */
    public Quorum quorumOr(Quorum byUse) {
        return quorum.orElse(voters == ALL_NODES ? byUse : Quorum.MAJORITY);
    }
}

package io.ballast.core.vote;

import io.ballast.core.config.vote.Quorum;
import java.util.List;
import java.util.Optional;

/**
 * The votes of the cluster's nodes about the health of one backend, as shown to operators. Immutable.
 *
 * @param quorum the rule by which the votes decide
 * @param voters the number of nodes that check the backend; 0 if all nodes check it
 * @param result the result of the vote; empty if only the checks of this node count, or if there are no votes
 * @param nodes this node, and all nodes that have voted or should check the backend, sorted by name
 */
public record VoteReport(Quorum quorum, int voters, Optional<VoteCount> result, List<NodeVote> nodes) {

    public VoteReport {
        nodes = List.copyOf(nodes);
    }

    /**
     * The vote of one node.
     *
     * @param isSelf whether it is the node that creates this report
     * @param isChosen whether it is one of the nodes that should check the backend
     * @param vote its vote; empty if it has none
     */
    public record NodeVote(String node, boolean isSelf, boolean isChosen, Optional<Vote> vote) {}

    /** Describes the verdict and how it was reached, or why the votes do not decide. */
    public String text() {
        return result.map(VoteCount::text)
                .orElseGet(() -> quorum.isLocal()
                        ? "quorum local: only the checks of this node count"
                        : "no node has voted yet");
    }
}

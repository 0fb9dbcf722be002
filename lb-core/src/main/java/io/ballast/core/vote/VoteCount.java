package io.ballast.core.vote;

import io.ballast.core.config.vote.Quorum;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The verdict that results from votes. Immutable; the result depends only on the arguments.
 *
 * <p>A backend is up if at least the {@linkplain Quorum#needed needed number} of nodes vote for up. There is one
 * exception: a loss of votes alone does not change the verdict, as long as one of the remaining votes supports it. So a
 * partition, a restart or the loss of a node has no effect on backends about which the nodes agree. If the nodes
 * disagree, the verdict changes only where no remaining vote supports it: a node that is alone uses its own vote.
 *
 * @param isUp the verdict
 * @param votes whether the backend is up according to each node
 * @param needed the number of votes for up that make the verdict up
 * @param isKept whether the verdict is the previous one, which a count of the remaining votes might contradict
 */
public record VoteCount(boolean isUp, Map<String, Boolean> votes, int needed, boolean isKept) {

    public VoteCount {
        votes = Map.copyOf(votes);
    }

    /**
     * Counts votes.
     *
     * @param votes one for each node; nodes that are not connected have none
     * @param before the previous result for the same backend and quorum, if any
     * @return the previous result if there are no votes; empty if there is none either
     */
    public static Optional<VoteCount> of(Quorum quorum, Collection<Vote> votes, Optional<VoteCount> before) {
        if (votes.isEmpty()) {
            return before;
        }
        Map<String, Boolean> states = new TreeMap<>();
        votes.forEach(vote -> states.put(vote.node(), vote.isUp()));
        int needed = quorum.needed(states.size());
        boolean isUp = up(states) >= needed;
        boolean isKept = before.isPresent()
                && before.get().isUp() != isUp
                && before.get().votes().entrySet().containsAll(states.entrySet())
                && states.containsValue(before.get().isUp());
        return Optional.of(new VoteCount(isUp != isKept, states, needed, isKept));
    }

    private static int up(Map<String, Boolean> states) {
        return Math.toIntExact(states.values().stream().filter(isUp -> isUp).count());
    }

    /** The number of nodes that report the backend as up. */
    public int up() {
        return up(votes);
    }

    /** Describes how the verdict was reached: "votes for up: 1 of 3, needed: 2". */
    public String text() {
        return "votes for up: " + up() + " of " + votes.size()
                + (isKept
                        ? "; kept " + (isUp ? "up" : "down") + ", because votes were only lost"
                        : ", needed: " + needed);
    }
}

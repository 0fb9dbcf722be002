package io.ballast.cluster.fact;

/** The result of {@link SharedFacts#propose}. */
public enum ProposalResult {
    /** The fact has the proposed value, or is absent if this was proposed. */
    COMMITTED,
    /** Nothing changed: the fact has another version than expected. */
    OVERTAKEN,
    /** Nothing changed: there are too many facts, or they are too large. */
    FULL,
    /** The change may have been made: no leader is known, or the leader did not answer. */
    UNKNOWN
}

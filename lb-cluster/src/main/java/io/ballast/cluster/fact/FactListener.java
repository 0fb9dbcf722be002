package io.ballast.cluster.fact;

import java.util.Optional;

/**
 * Receives changes of facts, in the order of the log. Called on the fact thread; must not block.
 *
 * <p>Facts that were restored from disk, or that come from a snapshot of another node, are reported in the order of
 * their versions.
 */
public interface FactListener {

    /**
     * Called when a change of this node or of another node was committed, and for each fact that was restored from
     * disk. While this node has a pending change of a fact, it is not called for that fact.
     *
     * @param fact the new fact; absent if it was removed
     */
    void committed(String key, Optional<Fact> fact);

    /**
     * Called for each change of this node that was pending when the previous process ended, and is pending again.
     * Called after {@link #committed} for the facts that were restored from disk.
     */
    void restored(PendingChange change);

    /**
     * Called when all facts and pending changes on disk have been reported.
     *
     * @param isNew true if there were none, because this node has never been in a cluster
     */
    void ready(boolean isNew);

    /**
     * Called when a change of this node was rejected. {@link #committed} is then called with the fact that applies
     * instead.
     *
     * @param reason the reason, as part of a sentence
     */
    void rejected(PendingChange change, String reason);

    /** The bound of all facts with the same prefix as the key, such as {@code override/}. Called by any thread. */
    default FactBound bound(String key) {
        return FactBound.ALL;
    }
}

package io.ballast.cluster.fact;

import java.util.Optional;

/** Learns of changes of facts, in order. Called by the thread of the facts; must not block. */
public interface FactListener {

    /**
     * A change was committed: one of this node, or of another one. Also called for each fact that was restored from disk. Not
     * called for a fact with a pending change of this node, before that is committed or rejected.
     *
     * @param fact the new fact; absent if it was removed
     */
    void committed(String key, Optional<Fact> fact);

    /**
     * A change of this node was pending when the last process ended, and is pending again. Called after {@link #committed} for
     * the facts that were restored from disk.
     */
    void restored(PendingChange change);

    /**
     * All facts and pending changes on disk have been reported.
     *
     * @param isNew true if there were none, because this node has never been in a cluster
     */
    void ready(boolean isNew);

    /**
     * A change of this node was rejected. {@link #committed} follows with the fact that takes effect instead.
     *
     * @param reason why, as part of a sentence
     */
    void rejected(PendingChange change, String reason);
}

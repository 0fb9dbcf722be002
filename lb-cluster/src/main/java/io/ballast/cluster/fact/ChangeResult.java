package io.ballast.cluster.fact;

/**
 * The state of watched changes of this node. Immutable.
 *
 * @param reason why the cluster rejected the changes, as part of a sentence; empty for other results
 */
public record ChangeResult(Status status, String reason) {

    public static final ChangeResult COMMITTED = new ChangeResult(Status.COMMITTED, "");
    public static final ChangeResult PENDING = new ChangeResult(Status.PENDING, "");

    /** Whether changes are committed. */
    public enum Status {
        /** All changes are committed, or there were none. */
        COMMITTED,
        /** At least one change is not committed yet, and no change is rejected. */
        PENDING,
        /** At least one change is rejected. */
        REJECTED
    }

    static ChangeResult rejected(String reason) {
        return new ChangeResult(Status.REJECTED, reason);
    }
}

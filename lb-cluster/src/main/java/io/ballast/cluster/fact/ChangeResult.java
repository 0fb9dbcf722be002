package io.ballast.cluster.fact;

/**
 * The state of watched changes of this node. Immutable.
 *
 * @param reason why the cluster rejected them, as part of a sentence; empty for other results
 */
public record ChangeResult(Status status, String reason) {

    public static final ChangeResult COMMITTED = new ChangeResult(Status.COMMITTED, "");
    public static final ChangeResult PENDING = new ChangeResult(Status.PENDING, "");

    /** Whether changes are committed. */
    public enum Status {
        /** All are committed, or there were none. */
        COMMITTED,
        /** At least one is not committed yet, and none is rejected. */
        PENDING,
        /** At least one is rejected. */
        REJECTED
    }

    static ChangeResult rejected(String reason) {
        return new ChangeResult(Status.REJECTED, reason);
    }
}

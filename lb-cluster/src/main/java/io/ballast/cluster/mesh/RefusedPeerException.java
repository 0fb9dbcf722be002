package io.ballast.cluster.mesh;

/**
 * Thrown if the other side of a connection cannot be a member of the cluster, or is this process itself. The exception
 * has no stack trace.
 */
final class RefusedPeerException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean self;

    RefusedPeerException(String message, boolean isSelf) {
        super(message, null, false, false);
        this.self = isSelf;
    }

    boolean isSelf() {
        return self;
    }
}

package io.ballast.cluster.mesh;

/** An address on which a node cannot accept connections of other nodes. */
public final class MeshException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MeshException(String message, Throwable cause) {
        super(message, cause);
    }
}

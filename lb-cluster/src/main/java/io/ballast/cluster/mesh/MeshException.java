package io.ballast.cluster.mesh;

/** Thrown if a node cannot accept connections from other nodes on its address. */
public final class MeshException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MeshException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.ballast.cluster.mesh;

/**
 * Receives messages and changes of connections. Called on the mesh thread, one call at a time; must not block. An
 * exception is logged and has no other effect.
 */
public interface MeshListener {

    /** Called when the connection to the node is established, so that {@link Mesh#send} can reach the node. */
    void connected(ClusterNode peer);

    /** Called when the connection to the node is lost. Messages that were sent shortly before may not have arrived. */
    void disconnected(ClusterNode peer);

    /**
     * Receives a message from an authenticated node, possibly before {@link #connected} is called for this node.
     * Messages from one node arrive in the order in which they were sent.
     *
     * @param kind the kind that the sender gave to {@link Mesh#send}
     */
    void received(ClusterNode sender, int kind, byte[] message);
}

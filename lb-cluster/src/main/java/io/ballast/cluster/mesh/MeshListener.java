package io.ballast.cluster.mesh;

/**
 * Learns of connections and messages. Called by the thread of the mesh, one call at a time; must not block. An exception is
 * logged and has no other effect.
 */
public interface MeshListener {

    /** From now on, {@link Mesh#send} reaches the node. */
    void connected(ClusterNode peer);

    /** The connection to the node is lost. Messages that were sent shortly before may not have arrived. */
    void disconnected(ClusterNode peer);

    /**
     * A message of an authenticated node, in the order in which it was sent; the node may not be {@link #connected} yet.
     *
     * @param kind the kind that the sender gave to {@link Mesh#send}
     */
    void received(ClusterNode sender, int kind, byte[] message);
}

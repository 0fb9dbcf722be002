package io.ballast.cluster.observation;

/** Sends messages of an {@link ObservationBoard} to other nodes, such as {@link io.ballast.cluster.mesh.Mesh#send}. */
@FunctionalInterface
public interface ObservationSender {

    /**
     * Sends a message without waiting.
     *
     * @return false if the message was dropped
     */
    boolean send(String node, int kind, byte[] message);
}

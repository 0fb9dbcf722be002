package io.ballast.cluster.mesh;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which nodes are connected, and calls all listeners; an exception of one listener has no effect on the other
 * listeners.
 */
final class MeshListeners {

    private static final Logger LOG = LoggerFactory.getLogger(MeshListeners.class);

    private final List<MeshListener> listeners;

    MeshListeners(List<MeshListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void connected(ClusterNode peer) {
        LOG.info("cluster=connected node={} address={}", peer.node(), peer.address());
        call(listener -> listener.connected(peer));
    }

    void disconnected(ClusterNode peer) {
        LOG.info("cluster=disconnected node={} address={}", peer.node(), peer.address());
        call(listener -> listener.disconnected(peer));
    }

    void received(ClusterNode sender, int kind, byte[] message) {
        call(listener -> listener.received(sender, kind, message));
    }

    private void call(Consumer<MeshListener> event) {
        for (MeshListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("cluster=listener_failed", e);
            }
        }
    }
}

package io.ballast.server.cluster;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;

/** Records in the timeline which nodes are connected. Thread-safe. */
final class NodeEvents implements MeshListener {

    private final ControlPlane control;

    NodeEvents(ControlPlane control) {
        this.control = control;
    }

    @Override
    public void connected(ClusterNode peer) {
        record(peer, "node connected");
    }

    @Override
    public void disconnected(ClusterNode peer) {
        record(peer, "node no longer connected");
    }

    @Override
    public void received(ClusterNode sender, int kind, byte[] message) {}

    private void record(ClusterNode peer, String text) {
        control.execute(() -> control.timeline().add(Origin.CLUSTER, peer.node(), text));
    }
}

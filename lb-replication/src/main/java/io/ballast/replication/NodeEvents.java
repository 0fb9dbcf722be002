package io.ballast.replication;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.util.Optional;

/** Records in the timeline which nodes are connected, and which node is the leader. Thread-safe. */
final class NodeEvents implements MeshListener {

    private final String cluster;
    private final ControlPlane control;

    /** @param cluster the name of the cluster */
    NodeEvents(String cluster, ControlPlane control) {
        this.cluster = cluster;
        this.control = control;
    }

    @Override
    public void connected(ClusterNode peer) {
        record(peer.node(), "node connected");
    }

    @Override
    public void disconnected(ClusterNode peer) {
        record(peer.node(), "node no longer connected");
    }

    @Override
    public void received(ClusterNode sender, int kind, byte[] message) {}

    void leaderChanged(Optional<String> leader) {
        leader.ifPresentOrElse(
                node -> record(node, "leads the cluster"),
                () -> record(
                        cluster, "no leader: changes cannot be committed until a majority of the voters elects one"));
    }

    private void record(String subject, String text) {
        control.execute(() -> control.timeline().add(Origin.CLUSTER, subject, text));
    }
}

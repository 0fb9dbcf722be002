package io.ballast.dashboard.source;

/** The nodes of the cluster. Called outside the dashboard's event loop; may block for a few seconds. */
@FunctionalInterface
public interface ClusterNodes {

    /**
     * Removes a node that will not return.
     *
     * @param who the operator
     * @return whether the cluster has committed the removal; otherwise the removal is pending
     * @throws java.util.NoSuchElementException if this process is not in a cluster, or does not know the node
     * @throws IllegalStateException if the node is connected, or is this node
     * @throws io.ballast.core.control.RejectedChangeException if the cluster rejects the removal
     */
    boolean forget(String node, String who);
}

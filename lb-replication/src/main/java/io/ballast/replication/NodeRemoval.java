package io.ballast.replication;

import io.ballast.dashboard.source.ClusterNodes;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Removes nodes, then waits for a short time until the cluster has committed the change (see {@link CommitWait}).
 * Thread-safe.
 */
final class NodeRemoval implements ClusterNodes {

    private final Optional<ForgottenNodes> nodes;
    private final Supplier<Optional<String>> self;
    private final CommitWait commits;

    /**
     * @param nodes empty without a cluster
     * @param self the name of this node, once it is known
     */
    NodeRemoval(Optional<ForgottenNodes> nodes, Supplier<Optional<String>> self, CommitWait commits) {
        this.nodes = nodes;
        this.self = self;
        this.commits = commits;
    }

    @Override
    public boolean forget(String node, String who) {
        ForgottenNodes forgotten =
                nodes.orElseThrow(() -> new NoSuchElementException("this process is not in a cluster"));
        String own = self.get().orElse("");
        return CommitWait.join(commits.change(
                ForgottenNodes.key(node)::equals,
                () -> {
                    forgotten.forget(node, own, who);
                    return CompletableFuture.completedFuture(true);
                },
                true,
                false));
    }
}

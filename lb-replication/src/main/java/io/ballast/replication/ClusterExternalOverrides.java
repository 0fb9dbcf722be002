package io.ballast.replication;

import io.ballast.cluster.fact.Fact;
import io.ballast.core.Checks;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.health.ExternalOverrides;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Changes overrides on this node, then waits for a short time until the cluster has committed the change (see {@link
 * CommitWait}). Thread-safe.
 */
final class ClusterExternalOverrides implements ExternalOverrides {

    private final ExternalOverrides local;
    private final CommitWait commits;

    ClusterExternalOverrides(ExternalOverrides local, CommitWait commits) {
        this.local = local;
        this.commits = commits;
    }

    private CompletableFuture<Outcome> committed(
            ExternalOverride.Key subject, Supplier<CompletableFuture<Outcome>> change) {
        String key = ExternalOverrideFacts.key(subject);
        Checks.that(
                key.length() <= Fact.MAX_KEY_LENGTH,
                "override",
                "names of " + key.length() + " characters",
                "at most " + Fact.MAX_KEY_LENGTH + " for the pool, the backend and the source in a cluster");
        return commits.change(key::equals, change, Outcome.DONE, Outcome.PENDING);
    }

    @Override
    public CompletableFuture<Outcome> set(ExternalOverride override, boolean confirmed) {
        return committed(override.key(), () -> local.set(override, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> remove(ExternalOverride.Key key, String who) {
        return committed(key, () -> local.remove(key, who));
    }

    @Override
    public List<ExternalOverride> all() {
        return local.all();
    }

    @Override
    public Counts counts() {
        return local.counts();
    }
}

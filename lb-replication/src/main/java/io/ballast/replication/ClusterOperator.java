package io.ballast.replication;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Applies overrides on this node, then waits for a short time until the cluster has committed the change (see {@link
 * CommitWait}). Thread-safe.
 */
final class ClusterOperator implements Operator {

    private final Operator local;
    private final CommitWait commits;

    ClusterOperator(Operator local, CommitWait commits) {
        this.local = local;
        this.commits = commits;
    }

    private CompletableFuture<Outcome> committed(String subject, Supplier<CompletableFuture<Outcome>> change) {
        return commits.change(
                key -> key.startsWith(OverrideText.PREFIX)
                        && OverrideText.subject(key).equals(subject),
                change,
                Outcome.DONE,
                Outcome.PENDING);
    }

    @Override
    public CompletableFuture<Outcome> overrideState(
            String pool, String address, StateOverride order, boolean confirmed) {
        return committed(pool + "/" + address, () -> local.overrideState(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> overrideWeight(
            String pool, String address, WeightOverride order, boolean confirmed) {
        return committed(pool + "/" + address, () -> local.overrideWeight(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
        return committed(pool + "/" + address, () -> local.removeWeightOverride(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms) {
        return committed(pool, () -> local.startMaintenance(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> endMaintenance(String pool, String who) {
        return committed(pool, () -> local.endMaintenance(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return committed(pool + "/" + address, () -> local.enable(pool, address, who));
    }
}

package io.ballast.server.cluster;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Applies overrides on this node, and then waits at most {@value #WAIT_MILLIS} ms until the cluster has committed them.
 * After that time, the outcome is {@link Operator.Outcome#PENDING}. Thread-safe.
 */
final class ClusterOperator implements Operator {

    private static final long WAIT_MILLIS = 2000;

    private final Operator local;
    private final Function<String, CompletableFuture<Boolean>> settled;

    /** @param settled like {@link ClusterMember#whenSettled} */
    ClusterOperator(Operator local, Function<String, CompletableFuture<Boolean>> settled) {
        this.local = local;
        this.settled = settled;
    }

    private CompletableFuture<Outcome> committed(String subject, CompletableFuture<Outcome> applied) {
        return applied.thenCompose(outcome -> outcome == Outcome.DONE
                ? settled.apply(subject)
                        .thenApply(isCommitted -> isCommitted ? Outcome.DONE : Outcome.REJECTED)
                        .completeOnTimeout(Outcome.PENDING, WAIT_MILLIS, TimeUnit.MILLISECONDS)
                : CompletableFuture.completedFuture(outcome));
    }

    @Override
    public CompletableFuture<Outcome> overrideState(
            String pool, String address, StateOverride order, boolean confirmed) {
        return committed(pool + "/" + address, local.overrideState(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> overrideWeight(
            String pool, String address, WeightOverride order, boolean confirmed) {
        return committed(pool + "/" + address, local.overrideWeight(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
        return committed(pool + "/" + address, local.removeWeightOverride(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms) {
        return committed(pool, local.startMaintenance(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> endMaintenance(String pool, String who) {
        return committed(pool, local.endMaintenance(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return committed(pool + "/" + address, local.enable(pool, address, who));
    }
}

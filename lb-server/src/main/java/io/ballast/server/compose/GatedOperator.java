package io.ballast.server.compose;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;

/**
 * Executes operators' changes to the states and weights of backends. While another process takes over, the
 * changes wait: see {@link Gate}.
 */
final class GatedOperator implements Operator {

    private final Operator operator;
    private final Gate gate;

    GatedOperator(Operator operator, Gate gate) {
        this.operator = operator;
        this.gate = gate;
    }

    @Override
    public CompletableFuture<Outcome> overrideState(
            String pool, String address, StateOverride order, boolean confirmed) {
        return gate.submit(() -> operator.overrideState(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> overrideWeight(
            String pool, String address, WeightOverride order, boolean confirmed) {
        return gate.submit(() -> operator.overrideWeight(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
        return gate.submit(() -> operator.removeWeightOverride(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms) {
        return gate.submit(() -> operator.startMaintenance(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> endMaintenance(String pool, String who) {
        return gate.submit(() -> operator.endMaintenance(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return gate.submit(() -> operator.enable(pool, address, who));
    }
}

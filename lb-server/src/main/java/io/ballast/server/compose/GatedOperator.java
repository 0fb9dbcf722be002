package io.ballast.server.compose;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;

/** Operators' changes of states and weights, which wait while another process takes over: see {@link Gate}. */
final class GatedOperator implements Operator {

    private final Operator operator;
    private final Gate gate;

    GatedOperator(Operator operator, Gate gate) {
        this.operator = operator;
        this.gate = gate;
    }

    @Override
    public CompletableFuture<Outcome> order(String pool, String address, StateOverride order, boolean confirmed) {
        return gate.pass(() -> operator.order(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weigh(String pool, String address, WeightOverride order, boolean confirmed) {
        return gate.pass(() -> operator.weigh(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weighByFile(String pool, String address, String who) {
        return gate.pass(() -> operator.weighByFile(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> maintain(String pool, OverrideTerms terms) {
        return gate.pass(() -> operator.maintain(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> serve(String pool, String who) {
        return gate.pass(() -> operator.serve(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return gate.pass(() -> operator.enable(pool, address, who));
    }
}

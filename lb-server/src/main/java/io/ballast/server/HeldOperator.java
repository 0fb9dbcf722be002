package io.ballast.server;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;

/** Orders of operators, which wait while another process takes over. */
final class HeldOperator implements Operator {

    private final Operator operator;
    private final Hold hold;

    HeldOperator(Operator operator, Hold hold) {
        this.operator = operator;
        this.hold = hold;
    }

    @Override
    public CompletableFuture<Outcome> order(String pool, String address, Order order, boolean confirmed) {
        return hold.pass(() -> operator.order(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weigh(String pool, String address, WeightOrder order, boolean confirmed) {
        return hold.pass(() -> operator.weigh(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weighByFile(String pool, String address, String who) {
        return hold.pass(() -> operator.weighByFile(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> maintain(String pool, OrderTerms terms) {
        return hold.pass(() -> operator.maintain(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> serve(String pool, String who) {
        return hold.pass(() -> operator.serve(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return hold.pass(() -> operator.enable(pool, address, who));
    }
}

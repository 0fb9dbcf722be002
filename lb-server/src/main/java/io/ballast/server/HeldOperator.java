package io.ballast.server;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;

/**
 * Has orders wait while another process takes over, which has read by then what was ordered before. They are carried out if
 * that comes to nothing. Thread-safe.
 */
final class HeldOperator implements Operator {

    private final Operator operator;
    private volatile CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

    HeldOperator(Operator operator) {
        this.operator = operator;
    }

    /** Called by one thread at a time, like {@link #resume}. */
    void hold() {
        released = new CompletableFuture<>();
    }

    void resume() {
        released.complete(null);
    }

    @Override
    public CompletableFuture<Outcome> order(String pool, String address, Order order, boolean confirmed) {
        return released.thenCompose(now -> operator.order(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weigh(String pool, String address, WeightOrder order, boolean confirmed) {
        return released.thenCompose(now -> operator.weigh(pool, address, order, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> weighByFile(String pool, String address, String who) {
        return released.thenCompose(now -> operator.weighByFile(pool, address, who));
    }

    @Override
    public CompletableFuture<Outcome> maintain(String pool, OrderTerms terms) {
        return released.thenCompose(now -> operator.maintain(pool, terms));
    }

    @Override
    public CompletableFuture<Outcome> serve(String pool, String who) {
        return released.thenCompose(now -> operator.serve(pool, who));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return released.thenCompose(now -> operator.enable(pool, address, who));
    }
}

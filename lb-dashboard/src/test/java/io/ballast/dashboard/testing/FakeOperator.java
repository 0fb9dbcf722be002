package io.ballast.dashboard.testing;

import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.health.Operator;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** An operator whose answers a test gives beforehand. */
public final class FakeOperator implements Operator {

    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<WeightOrder> weights = new LinkedBlockingQueue<>();
    private volatile Outcome outcome = Outcome.DONE;
    private volatile boolean fails;

    /**
     * What was asked for.
     *
     * @param order absent for its end
     * @param end who ended it; empty for an order
     */
    public record Asked(String pool, String address, Optional<Order> order, boolean confirmed, String end) {}

    @Override
    public CompletableFuture<Outcome> order(String pool, String address, Order order, boolean confirmed) {
        return asked(new Asked(pool, address, Optional.of(order), confirmed, ""));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return asked(new Asked(pool, address, Optional.empty(), /* confirmed= */ false, who));
    }

    @Override
    public CompletableFuture<Outcome> weigh(String pool, String address, WeightOrder order, boolean confirmed) {
        weights.add(order);
        return asked(new Asked(pool, address, Optional.empty(), confirmed, ""));
    }

    @Override
    public CompletableFuture<Outcome> weighByFile(String pool, String address, String who) {
        return asked(new Asked(pool, address, Optional.empty(), /* confirmed= */ false, "weight: " + who));
    }

    @Override
    public CompletableFuture<Outcome> maintain(String pool, OrderTerms terms) {
        return asked(new Asked(pool, "", Optional.empty(), /* confirmed= */ false, "maintenance: " + terms.text()));
    }

    @Override
    public CompletableFuture<Outcome> serve(String pool, String who) {
        return asked(new Asked(pool, "", Optional.empty(), /* confirmed= */ false, "serve: " + who));
    }

    /** The weight that was ordered, and not taken by this yet. */
    public Optional<WeightOrder> takeWeight() {
        return Optional.ofNullable(weights.poll());
    }

    private CompletableFuture<Outcome> asked(Asked what) {
        asked.add(what);
        return fails
                ? CompletableFuture.failedFuture(new IllegalStateException("expected in this test"))
                : CompletableFuture.supplyAsync(() -> outcome);
    }

    /** Answers this from now on. */
    public void answer(Outcome next) {
        outcome = next;
    }

    /** Fails from now on. */
    public void fail() {
        fails = true;
    }

    /** What was asked for and not taken by this yet. */
    public Optional<Asked> take() {
        return Optional.ofNullable(asked.poll());
    }
}

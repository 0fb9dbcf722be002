package io.ballast.dashboard.testing;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** An operator that records calls and returns a preset outcome. */
public final class FakeOperator implements Operator {

    private final BlockingQueue<OverrideCall> calls = new LinkedBlockingQueue<>();
    private final BlockingQueue<WeightOverride> weights = new LinkedBlockingQueue<>();
    private volatile Outcome outcome = Outcome.DONE;
    private volatile boolean fails;

    /**
     * A recorded call.
     *
     * @param order absent for the end of an override
     * @param end who ended the override; empty for an override
     */
    public record OverrideCall(
            String pool, String address, Optional<StateOverride> order, boolean confirmed, String end) {}

    @Override
    public CompletableFuture<Outcome> overrideState(
            String pool, String address, StateOverride order, boolean confirmed) {
        return recorded(new OverrideCall(pool, address, Optional.of(order), confirmed, ""));
    }

    @Override
    public CompletableFuture<Outcome> enable(String pool, String address, String who) {
        return recorded(new OverrideCall(pool, address, Optional.empty(), /* confirmed= */ false, who));
    }

    @Override
    public CompletableFuture<Outcome> overrideWeight(
            String pool, String address, WeightOverride order, boolean confirmed) {
        weights.add(order);
        return recorded(new OverrideCall(pool, address, Optional.empty(), confirmed, ""));
    }

    @Override
    public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
        return recorded(new OverrideCall(pool, address, Optional.empty(), /* confirmed= */ false, "weight: " + who));
    }

    @Override
    public CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms) {
        return recorded(
                new OverrideCall(pool, "", Optional.empty(), /* confirmed= */ false, "maintenance: " + terms.text()));
    }

    @Override
    public CompletableFuture<Outcome> endMaintenance(String pool, String who) {
        return recorded(new OverrideCall(pool, "", Optional.empty(), /* confirmed= */ false, "serve: " + who));
    }

    /** Returns and removes the oldest recorded weight override. */
    public Optional<WeightOverride> takeWeight() {
        return Optional.ofNullable(weights.poll());
    }

    private CompletableFuture<Outcome> recorded(OverrideCall what) {
        calls.add(what);
        return fails
                ? CompletableFuture.failedFuture(new IllegalStateException("expected in this test"))
                : CompletableFuture.supplyAsync(() -> outcome);
    }

    /** Sets the outcome of the following calls. */
    public void answer(Outcome next) {
        outcome = next;
    }

    /** Makes the following calls fail. */
    public void fail() {
        fails = true;
    }

    /** Returns and removes the oldest recorded call. */
    public Optional<OverrideCall> take() {
        return Optional.ofNullable(calls.poll());
    }
}

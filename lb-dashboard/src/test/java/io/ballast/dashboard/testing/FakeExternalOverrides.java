package io.ballast.dashboard.testing;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.health.ExternalOverrides;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** External overrides that record calls and return a preset outcome. */
public final class FakeExternalOverrides implements ExternalOverrides {

    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private volatile Outcome outcome = Outcome.DONE;
    private volatile @Nullable RuntimeException failure;
    private volatile List<ExternalOverride> all = List.of();

    /**
     * A recorded call.
     *
     * @param override absent for a removal
     * @param who who removed the override; empty for an override
     */
    public record Call(ExternalOverride.Key key, Optional<ExternalOverride> override, boolean confirmed, String who) {}

    @Override
    public CompletableFuture<Outcome> set(ExternalOverride override, boolean confirmed) {
        calls.add(new Call(override.key(), Optional.of(override), confirmed, ""));
        return answer();
    }

    @Override
    public CompletableFuture<Outcome> remove(ExternalOverride.Key key, String who) {
        calls.add(new Call(key, Optional.empty(), /* confirmed= */ false, who));
        return answer();
    }

    @Override
    public List<ExternalOverride> all() {
        return all;
    }

    @Override
    public Counts counts() {
        return new Counts(4, 3, 2, 1);
    }

    private CompletableFuture<Outcome> answer() {
        RuntimeException thrown = failure;
        return thrown == null ? CompletableFuture.supplyAsync(() -> outcome) : CompletableFuture.failedFuture(thrown);
    }

    /** Sets the outcome of the following calls. */
    public void answer(Outcome next) {
        outcome = next;
    }

    /** Lets the following calls fail. */
    public void fail(RuntimeException next) {
        failure = next;
    }

    /** Sets the active overrides. */
    public void all(List<ExternalOverride> next) {
        all = next;
    }

    /** Returns and removes the oldest recorded call. */
    public Optional<Call> take() {
        return Optional.ofNullable(calls.poll());
    }
}

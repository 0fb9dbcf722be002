package io.ballast.replication;

import io.ballast.cluster.fact.ChangeResult;
import io.ballast.cluster.fact.ChangeWatch;
import io.ballast.core.control.RejectedChangeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Waits for a short time until the cluster has committed a change of this node. Thread-safe. */
final class CommitWait {

    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final Function<Predicate<String>, Optional<ChangeWatch>> watches;
    private final Duration maxWait;

    /** @param watches begins to watch changes of facts; empty if this process is not in the cluster */
    CommitWait(Function<Predicate<String>, Optional<ChangeWatch>> watches) {
        this(watches, MAX_WAIT);
    }

    CommitWait(Function<Predicate<String>, Optional<ChangeWatch>> watches, Duration maxWait) {
        this.watches = watches;
        this.maxWait = maxWait;
    }

    /**
     * Makes a change, and waits at most two seconds until it is committed.
     *
     * @param keys selects the facts that the change may affect, by their keys
     * @param change makes the change on this node
     * @param done the outcome of a change that was made
     * @param pending returned instead of {@code done} if the change is not committed yet
     * @return the outcome; the future fails with {@link RejectedChangeException} if the cluster rejects the change
     */
    <O> CompletableFuture<O> change(Predicate<String> keys, Supplier<CompletableFuture<O>> change, O done, O pending) {
        Optional<ChangeWatch> watch = watches.apply(keys);
        return change.get()
                .thenCompose(outcome -> outcome.equals(done)
                        ? result(watch).thenApply(result -> switch (result.status()) {
                            case COMMITTED -> done;
                            case PENDING -> pending;
                            case REJECTED -> throw rejected(result);
                        })
                        : CompletableFuture.completedFuture(outcome));
    }

    /**
     * Like {@link #change(Predicate, Supplier, Object, Object)}, for a change whose outcome contains a description of
     * the change.
     *
     * @param pending returns the description of a change that is not committed yet
     */
    <O> CompletableFuture<O> change(
            Predicate<String> keys, Supplier<CompletableFuture<O>> change, UnaryOperator<O> pending) {
        Optional<ChangeWatch> watch = watches.apply(keys);
        return change.get()
                .thenCompose(outcome -> result(watch).thenApply(result -> switch (result.status()) {
                    case COMMITTED -> outcome;
                    case PENDING -> pending.apply(outcome);
                    case REJECTED -> throw rejected(result);
                }));
    }

    private static RejectedChangeException rejected(ChangeResult result) {
        return new RejectedChangeException("the cluster rejected this change: " + result.reason());
    }

    /** Waits for a result of {@link #change}, and throws its exception if it has failed. */
    static <O> O join(CompletableFuture<O> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RejectedChangeException rejected ? rejected : e;
        }
    }

    private CompletableFuture<ChangeResult> result(Optional<ChangeWatch> watch) {
        return watch.map(present -> present.result(maxWait))
                .orElseGet(() -> CompletableFuture.completedFuture(ChangeResult.PENDING));
    }
}

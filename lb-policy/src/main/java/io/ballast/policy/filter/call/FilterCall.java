package io.ballast.policy.filter.call;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One call of a filter. Thread safety: all methods may be called concurrently. */
final class FilterCall<T> implements Runnable {

    private enum State {
        QUEUED,
        RUNNING,
        /** The call was interrupted while it was running; its thread is occupied until the filter returns. */
        CUT,
        ENDED
    }

    private final Callable<? extends CompletionStage<T>> call;
    private final CompletableFuture<T> result;
    private final StuckThreads stuck;
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

    FilterCall(Callable<? extends CompletionStage<T>> call, CompletableFuture<T> result, StuckThreads stuck) {
        this.call = call;
        this.result = result;
        this.stuck = stuck;
    }

    @Override
    public void run() {
        if (!state.compareAndSet(State.QUEUED, State.RUNNING)) {
            return; // the call was cut while it waited for a thread
        }
        try {
            CompletionStage<T> stage = call.call();
            if (stage == null) {
                throw new NullPointerException("the filter has returned null instead of a stage");
            }
            stage.whenComplete(this::complete);
        } catch (Throwable e) { // any exception or error is a failure of the filter
            fail(e);
        } finally {
            if (state.getAndSet(State.ENDED) == State.CUT) {
                stuck.ended();
            }
        }
    }

    private void complete(@Nullable T value, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
        } else if (value == null) {
            result.completeExceptionally(new NullPointerException("the stage of the filter has completed with null"));
        } else {
            result.complete(value);
        }
    }

    /**
     * Fails the result. A {@link CancellationException} of the filter would look like the end of the request, so it is
     * wrapped.
     */
    private void fail(Throwable failure) {
        result.completeExceptionally(
                failure instanceof CancellationException ? new CompletionException(failure) : failure);
    }

    /**
     * Interrupts a running call, or prevents the start of a waiting call.
     *
     * @return whether the call was waiting, so that its task is no longer needed
     */
    boolean cut(Future<?> task) {
        if (state.compareAndSet(State.QUEUED, State.ENDED)) {
            return true;
        }
        if (state.compareAndSet(State.RUNNING, State.CUT)) {
            stuck.began();
            task.cancel(/* mayInterruptIfRunning= */ true);
        }
        return false;
    }
}

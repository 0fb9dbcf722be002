package io.ballast.policy.basic;

import io.ballast.http.policy.Continuation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A running verification for which several requests wait. It is cancelled when the last of them is cancelled. Thread
 * safety: all methods may be called concurrently; they do not block.
 */
final class SharedVerification {

    private static final int CANCELLED = 0;

    private final CompletableFuture<? extends Continuation> result;
    private final AtomicInteger waiting = new AtomicInteger(1);

    /** Creates a verification for its first request, which must call {@link #first} once. */
    SharedVerification(CompletableFuture<? extends Continuation> result) {
        this.result = result;
    }

    /** Returns the result for the first request. */
    CompletableFuture<? extends Continuation> first() {
        return own();
    }

    /** Returns the result for another request; null if the verification has been cancelled. */
    @Nullable CompletableFuture<? extends Continuation> join() {
        int before = waiting.getAndUpdate(count -> count == CANCELLED ? CANCELLED : count + 1);
        return before == CANCELLED ? null : own();
    }

    /** The number of requests that wait. */
    int waiting() {
        return waiting.get();
    }

    private CompletableFuture<? extends Continuation> own() {
        CompletableFuture<? extends Continuation> own = result.copy();
        own.whenComplete((decision, failure) -> {
            if (own.isCancelled() && waiting.decrementAndGet() == CANCELLED) {
                result.cancel(/* mayInterruptIfRunning= */ false);
            }
        });
        return own;
    }
}

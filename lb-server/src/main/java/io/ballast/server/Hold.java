package io.ballast.server;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Has orders wait while another process takes over, which has read by then what was ordered before. They are carried out if
 * that comes to nothing. Thread-safe.
 */
final class Hold {

    private volatile CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

    /** Called by one thread at a time, like {@link #end}. */
    void begin() {
        released = new CompletableFuture<>();
    }

    void end() {
        released.complete(null);
    }

    /** Does this when nothing holds it up; throws what that throws, if that is now. */
    <T> CompletableFuture<T> pass(Supplier<CompletableFuture<T>> order) {
        if (released.isDone()) {
            return order.get();
        }
        return released.thenCompose(now -> order.get());
    }
}

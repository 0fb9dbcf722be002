package io.ballast.cluster.fact;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Watches changes of this node that are made after the creation of the watch. Thread-safe. */
@FunctionalInterface
public interface ChangeWatch {

    /**
     * Ends the watch as soon as no watched change is pending, or a watched change is rejected, but after {@code max} at
     * the latest. Must be called once, after the changes were made.
     *
     * @return always completes normally
     */
    CompletableFuture<ChangeResult> result(Duration max);
}

package io.ballast.policy.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs blocking tasks on other threads, and waits until other threads have fulfilled a condition. */
public final class Await {

    private static final long PAUSE_NANOS = 1_000_000;

    private Await() {}

    /**
     * Runs a blocking task on a separate thread. The common pool is not suitable: with two cores it has only one thread,
     * which the JDK's HTTP client needs.
     */
    public static <T> CompletableFuture<T> start(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, each -> new Thread(each, "waiting").start());
    }

    /** Waits until a condition holds; the time limit of the test ends the wait. */
    public static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}

package io.ballast.policy.work;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.Refusal;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs slow decisions of policies, such as the verification of a password, on a few threads outside the event loops. At
 * most {@value #MAX_WAITING} decisions wait, each for at most {@value #MAX_WAIT_SECONDS} s; otherwise, the request is
 * refused with 503.
 *
 * <p>Thread safety: all methods may be called concurrently. The threads start with the first decision, and end after 30
 * s without one.
 */
public final class SlowWork implements AutoCloseable {

    /** The maximum number of decisions that wait for a thread. */
    public static final int MAX_WAITING = 1024;

    /** The refusal of a request whose decision could not be queued. */
    public static final Refusal BUSY = Refusal.undecided("policy_busy");

    /** The maximum wait for a thread; after it, the request is refused with 503. */
    private static final int MAX_WAIT_SECONDS = 5;

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor executor;

    /** @param threads the number of decisions that run at the same time */
    public SlowWork(int threads) {
        this.executor = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread thread = new Thread(task, "policy-work");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Decides later. The work is skipped if the request ends before the work starts.
     *
     * @param work runs on a thread of this object; returns a decision, or a continuation that decides on the event loop
     * @return a {@link PendingDecision}, or {@link #BUSY} if the queue is full
     */
    public PolicyDecision decide(Supplier<? extends Continuation> work) {
        CompletableFuture<Continuation> result = new CompletableFuture<>();
        try {
            long queuedAt = System.nanoTime();
            executor.execute(() -> run(work, result, queuedAt));
        } catch (RejectedExecutionException full) {
            return BUSY;
        }
        return new PendingDecision(result);
    }

    private static void run(
            Supplier<? extends Continuation> work, CompletableFuture<Continuation> result, long queuedAt) {
        if (result.isDone()) {
            return; // the client has disconnected
        }
        if (System.nanoTime() - queuedAt > TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS)) {
            result.complete(BUSY);
            return;
        }
        try {
            result.complete(work.get());
        } catch (RuntimeException | Error failure) {
            result.completeExceptionally(failure);
        }
    }

    /** Discards waiting decisions, and refuses further decisions. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}

package io.ballast.policy.filter.call;

import io.ballast.policy.work.PolicyEvents;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Runs the calls of one filter on its own threads. At most {@code threads + queue} calls are in flight, including those
 * that have returned a stage that has not completed. If the result of a call is cancelled, its thread is interrupted,
 * and stays occupied until the call ends. If all threads are occupied by such calls for a second, further calls are
 * refused at once.
 *
 * <p>Thread safety: all methods may be called concurrently and do not block, except {@link #awaitEnd}.
 */
public final class FilterCalls {

    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor executor;
    private final StuckThreads stuck;
    private final int maxInFlight;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * @param subject the filter, for events and the names of threads
     * @param threads the maximum number of threads; they start when they are needed
     * @param queue the maximum number of calls that wait for a thread
     * @param loader the context class loader of the threads
     * @param nanoTime the monotonic clock; see {@link System#nanoTime}
     */
    public FilterCalls(
            String subject, int threads, int queue, ClassLoader loader, PolicyEvents events, LongSupplier nanoTime) {
        this.executor = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(Math.max(1, queue)),
                new FilterThreads(subject, loader));
        executor.allowCoreThreadTimeOut(true);
        this.stuck = new StuckThreads("filter " + subject, threads, events, nanoTime);
        this.maxInFlight = threads + queue;
    }

    /**
     * Starts a call.
     *
     * @return the result. The future fails with the exception of the filter, or with a {@link CallRefusedException}.
     *     The caller cancels the future at the deadline
     */
    public <T> CompletableFuture<T> start(Callable<? extends CompletionStage<T>> call) {
        if (stuck.isStuck()) {
            return CompletableFuture.failedFuture(new CallRefusedException(CallOutcome.STUCK));
        }
        if (inFlight.incrementAndGet() > maxInFlight) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(new CallRefusedException(CallOutcome.QUEUE_FULL));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        result.whenComplete((value, failure) -> inFlight.decrementAndGet());
        FilterCall<T> started = new FilterCall<>(call, result, stuck);
        try {
            Future<?> task = executor.submit(started);
            result.whenComplete((value, failure) -> {
                if (result.isCancelled() && started.cut(task) && task instanceof Runnable waiting) {
                    executor.remove(waiting);
                }
            });
        } catch (RejectedExecutionException full) {
            result.completeExceptionally(new CallRefusedException(CallOutcome.QUEUE_FULL));
        }
        return result;
    }

    /** The number of threads that are occupied by calls whose result was cancelled. */
    public int stuckThreads() {
        return stuck.count();
    }

    /**
     * Runs a last task on a thread of the filter, then ends the threads. Must be called when no call is in use; no
     * further call may be started.
     */
    public void closeAfter(Runnable last) {
        executor.getQueue().clear(); // removes calls of ended requests
        try {
            executor.execute(last);
        } catch (RejectedExecutionException closed) {
            // This method was called before, and has already submitted its last task.
        }
        executor.shutdown();
    }

    /**
     * Waits at most {@code millis} until all tasks have ended, including the task of {@link #closeAfter}.
     *
     * @return whether all threads have ended
     */
    public boolean awaitEnd(long millis) {
        try {
            return executor.awaitTermination(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

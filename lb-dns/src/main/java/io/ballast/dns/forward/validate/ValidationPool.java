package io.ballast.dns.forward.validate;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that validate signatures: at most one for each processor, and only while there is work. At most
 * {@value #QUEUE_CAPACITY} answers wait in the queue.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class ValidationPool implements AutoCloseable {

    static final int QUEUE_CAPACITY = 1_000;
    private static final int MAX_THREADS = 8;
    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    public ValidationPool() {
        this(Math.min(Runtime.getRuntime().availableProcessors(), MAX_THREADS), QUEUE_CAPACITY);
    }

    ValidationPool(int max, int queue) {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                max, max, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), task -> {
                    Thread thread = new Thread(task, "dns-validate-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Queues a task; returns false if the queue is full or the pool is closed. */
    public boolean submit(Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Drops waiting tasks. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}

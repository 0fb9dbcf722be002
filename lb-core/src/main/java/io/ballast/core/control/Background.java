package io.ballast.core.control;

import io.ballast.core.Checks;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for work that takes too long for the {@link ControlPlane}: compiling, signing, reading files. Only
 * the finished results are passed to the control plane.
 *
 * <p>Tasks start in the order of submission; with one thread they also run one after the other. Idle threads
 * end after some time and do not keep the process alive. Thread safety: any thread may call any method. If a
 * task throws, the exception is logged and the thread continues; after {@link #close} tasks are dropped.
 */
public final class Background implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Background.class);
    private static final long IDLE_SECONDS = 10;

    private final String name;
    private final ThreadPoolExecutor threads;

    private Background(String name, int max) {
        AtomicInteger started = new AtomicInteger();
        this.name = name;
        this.threads = new ThreadPoolExecutor(
                max,
                max,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, name + "-" + started.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Creates an executor with its own threads, started on demand.
     *
     * @param name the name of the threads
     * @param max the maximum number of threads; 1 or more
     */
    public static Background of(String name, int max) {
        return new Background(name, Checks.positive(max, "threads"));
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("background={} msg=\"task failed\"", name, e);
            }
        });
    }

    /** Drops queued tasks, and interrupts running tasks without waiting for their end. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}

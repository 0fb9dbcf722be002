package io.ballast.core.control;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes state: health transitions, operator actions and reloads run here one after the other,
 * publish what follows from them and write the {@link Timeline}.
 *
 * <p>Thread safety: every method may be called from any thread. A task that throws is logged and does not end the
 * thread. After {@link #close} tasks are dropped.
 */
public final class ControlPlane implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final int TIMELINE_CAPACITY = 1000;

    private final ScheduledExecutorService thread;
    private final Clock clock;
    private final Timeline timeline;

    /** A control plane on a thread of its own. */
    public static ControlPlane start(Clock clock) {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread t = new Thread(task, "control");
                    t.setDaemon(true);
                    return t;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        thread.setRemoveOnCancelPolicy(true);
        return new ControlPlane(thread, clock);
    }

    /** A control plane on the given thread, which tests may drive by hand. */
    public ControlPlane(ScheduledExecutorService thread, Clock clock) {
        this.thread = thread;
        this.clock = clock;
        this.timeline = new Timeline(clock, TIMELINE_CAPACITY);
    }

    public Clock clock() {
        return clock;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** Runs {@code task} on the control thread, after what was handed over before. */
    public void execute(Runnable task) {
        thread.execute(guarded(task));
    }

    /** Runs {@code task} on the control thread after a delay. */
    public void schedule(Runnable task, Duration delay) {
        ScheduledFuture<?> unused = thread.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("control task failed", e);
            }
        };
    }
}

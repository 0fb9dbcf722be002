package io.ballast.core.control;

import io.ballast.core.watchdog.Heartbeat;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

    private static final long MOST_GRAIN_NANOS = 50_000_000;
    private static final int GRAINS_BETWEEN = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final int TIMELINE_CAPACITY = 1000;

    /** Traffic goes on for a while without this thread; work that is slow in spite of the rules is no death. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration BEAT = Duration.ofSeconds(1);

    private final ScheduledExecutorService thread;
    private final Clock clock;
    private final Timeline timeline;
    private final Heartbeat heartbeat = new Heartbeat("control", PATIENCE);

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
        ControlPlane control = new ControlPlane(thread, clock);
        ScheduledFuture<?> unused =
                thread.scheduleAtFixedRate(control.heartbeat::beat, 0, BEAT.toNanos(), TimeUnit.NANOSECONDS);
        return control;
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
        ScheduledTask unused = scheduleTask(task, delay);
    }

    /** Runs {@code task} on the control thread after a delay, unless the returned handle takes it back before. */
    public ScheduledTask scheduleTask(Runnable task, Duration delay) {
        return new ScheduledTask(thread.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Like {@link #scheduleTask}, at a moment of its choice: what is due within the same 50 ms is run together, because to wake
     * threads costs more than most of what they do then. Where the bounds are near each other, it is a tenth of what is
     * between them.
     *
     * @param least it is not run before
     * @param drawn when it would be run if it were alone; between the others
     * @param most it is run then at the latest
     */
    public ScheduledTask scheduleAmongOthers(Runnable task, Duration least, Duration drawn, Duration most) {
        long grain = Math.min(MOST_GRAIN_NANOS, most.minus(least).toNanos() / GRAINS_BETWEEN);
        long delay = drawn.toNanos();
        if (grain > 0) {
            Instant now = clock.instant();
            long due = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() + delay;
            delay -= Math.floorMod(due, grain); // a clock that is set moves the grid, and nothing else
            if (delay < least.toNanos()) {
                delay += grain;
            }
        }
        return scheduleTask(task, Duration.ofNanos(delay));
    }

    /** The heartbeat of its thread, if {@link #start} made that. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public void close() {
        heartbeat.stop();
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

package io.ballast.core.control;

import io.ballast.core.watchdog.Heartbeat;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread that changes state. Health transitions, operator actions and reloads run on it one after
 * the other. They publish their results and write to the {@link Timeline}.
 *
 * <p>Thread safety: every method may be called from any thread. If a task throws, the exception is logged and
 * the thread continues. After {@link #close} tasks are dropped, and the futures of {@link #call} fail.
 */
public final class ControlPlane implements AutoCloseable {

    private static final long MAX_GRAIN_NANOS = 50_000_000;
    private static final int GRAINS_BETWEEN = 10;

    /** Maximum time for which a task is delayed so that it runs together with other tasks. */
    static final Duration MAX_GATHERING = Duration.ofMillis(10);

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final int TIMELINE_CAPACITY = 1000;

    /**
     * The time for which this thread may block before it is considered hung. Traffic does not depend on the
     * thread.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration BEAT = Duration.ofSeconds(1);

    private final ScheduledExecutorService thread;
    private final Clock clock;
    private final Timeline timeline;
    private final ChangeLog changeLog = new ChangeLog(this);
    private final TaskBatches batches;
    private final Queue<Runnable> gatheredTasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isGathering = new AtomicBoolean();
    private final Heartbeat heartbeat = new Heartbeat("control", TIMEOUT);
    /** The calls of {@link #call} whose futures are not complete yet. */
    private final Set<Call<?>> pending = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** The state of one invocation of {@link #call}. */
    private static final class Call<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
    }

    /** Starts a control plane on a new thread. */
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

    /** Creates a control plane that runs on {@code thread}. Tests may pass an executor that they run manually. */
    public ControlPlane(ScheduledExecutorService thread, Clock clock) {
        this.thread = thread;
        this.clock = clock;
        this.batches = new TaskBatches(thread);
        this.timeline = new Timeline(clock, TIMELINE_CAPACITY);
    }

    public Clock clock() {
        return clock;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** The log of changes that can occur in large numbers at once. May be used only on the control thread. */
    public ChangeLog changeLog() {
        return changeLog;
    }

    /** Runs {@code task} on the control thread after all previously submitted tasks. */
    public void execute(Runnable task) {
        Runnable guarded = guarded(task);
        thread.execute(() -> {
            runGatheredTasks();
            guarded.run();
        });
    }

    /**
     * Runs {@code task} on the control thread. The returned future completes with the result or the failure of
     * the future that {@code task} returns. It also completes if {@code task} throws, or if the control plane is
     * closed first.
     */
    public <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> task) {
        Call<T> call = new Call<>();
        CompletableFuture<T> result = call.result;
        pending.add(call);
        CompletableFuture<T> unused = result.whenComplete((value, failure) -> pending.remove(call));
        execute(() -> {
            try {
                CompletableFuture<T> step = task.get();
                CompletableFuture<T> unusedStep = step.whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                throw e; // rethrown, so that it is logged
            }
        });
        if (closed) {
            failPending();
        }
        return result;
    }

    private void failPending() {
        for (Call<?> each : pending) {
            each.result.completeExceptionally(new UnavailableException("the process is shutting down"));
        }
    }

    /**
     * Like {@link #execute}, but runs the task up to 10 ms later, together with other tasks submitted in this
     * time: waking the thread costs more than most tasks.
     */
    public void executeBatched(Runnable task) {
        gatheredTasks.add(guarded(task));
        if (isGathering.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            schedule(this::endGathering, MAX_GATHERING);
        }
    }

    private void endGathering() {
        isGathering.set(false); // cleared before the queue is read, so that later tasks trigger another run
        runGatheredTasks();
    }

    private void runGatheredTasks() {
        for (Runnable task = gatheredTasks.poll(); task != null; task = gatheredTasks.poll()) {
            task.run();
        }
    }

    /** Runs {@code task} on the control thread after a delay. */
    public void schedule(Runnable task, Duration delay) {
        ScheduledTask unused = scheduleTask(task, delay);
    }

    /** Runs {@code task} on the control thread after a delay, unless the returned handle cancels it first. */
    public ScheduledTask scheduleTask(Runnable task, Duration delay) {
        return new SingleTask(thread.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Like {@link #scheduleTask}, but the time is flexible: tasks that are due within the same 50 ms run
     * together, because waking threads costs more than most tasks. If {@code min} and {@code max} are close
     * together, the window is one tenth of their distance.
     *
     * @param min earliest time
     * @param drawn preferred time, between {@code min} and {@code max}
     * @param max latest time
     */
    public ScheduledTask scheduleBatched(Runnable task, Duration min, Duration drawn, Duration max) {
        long grain = Math.min(MAX_GRAIN_NANOS, max.minus(min).toNanos() / GRAINS_BETWEEN);
        if (grain <= 0) {
            return scheduleTask(task, drawn);
        }
        Instant instant = clock.instant();
        long now = TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
        long delay = drawn.toNanos();
        delay -= Math.floorMod(now + delay, grain); // a change of the wall clock only moves the batch boundaries
        if (delay < min.toNanos()) {
            delay += grain;
        }
        return batches.add(guarded(task), now + delay, delay);
    }

    /** Returns the heartbeat of the thread, which beats only if {@link #start} created the thread. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public void close() {
        heartbeat.stop();
        thread.shutdownNow();
        closed = true;
        failPending();
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

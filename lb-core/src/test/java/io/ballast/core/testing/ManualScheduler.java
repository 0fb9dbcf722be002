package io.ballast.core.testing;

import io.ballast.core.control.ControlPlane;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler and its clock, controlled by a test: no task runs and no time passes until the test calls a method. Tasks
 * run on the thread that calls {@link #advance}, in the order of their due times, then of submission.
 *
 * <p>Confined to one thread.
 */
public final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>(
            Comparator.<Task<?>>comparingLong(task -> task.dueNanos).thenComparing(task -> task.id));
    private long nowNanos;
    private Duration clockOffset = Duration.ZERO;
    private long nextId;
    private boolean shutdown;

    /** A control plane that runs on this scheduler. */
    public ControlPlane controlPlane() {
        return new ControlPlane(this, clock());
    }

    /** A clock that shows this scheduler's time; it starts at the beginning of 2026. */
    public Clock clock() {
        return new ManualClock();
    }

    /** Sets the clock forward, or back if {@code step} is negative. Scheduled tasks are not affected. */
    public void stepClock(Duration step) {
        clockOffset = clockOffset.plus(step);
    }

    /** Returns the time since the start, as {@link System#nanoTime} would report it. */
    public long nanoTime() {
        return nowNanos;
    }

    /** Runs all tasks that are due, and the tasks that these tasks schedule for the current time. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Advances the time, and runs each task at the time when it becomes due. */
    public void advance(Duration time) {
        long end = nowNanos + time.toNanos();
        for (Task<?> next = tasks.peek(); next != null && next.dueNanos <= end; next = tasks.peek()) {
            nowNanos = Math.max(nowNanos, next.dueNanos);
            tasks.remove().run();
        }
        nowNanos = end;
    }

    /** Returns the delays of the waiting tasks, the shortest first. */
    public List<Duration> waiting() {
        return tasks.stream()
                .sorted(tasks.comparator())
                .map(task -> Duration.ofNanos(task.dueNanos - nowNanos))
                .toList();
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return add(new Task<>(task, nowNanos + unit.toNanos(delay)));
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        return add(new Task<>(task, nowNanos + unit.toNanos(delay)));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("schedule again from the task");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("schedule again from the task");
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        List<Runnable> left = new ArrayList<>(tasks);
        tasks.clear();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }

    /** Adds a task. After a shutdown, tasks are dropped, like on the control plane's own thread. */
    private <V> Task<V> add(Task<V> task) {
        if (!shutdown) {
            tasks.add(task);
        }
        return task;
    }

    private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {

        private final long id = nextId++;
        private final long dueNanos;

        Task(Runnable task, long dueNanos) {
            super(task, null);
            this.dueNanos = dueNanos;
        }

        Task(Callable<V> task, long dueNanos) {
            super(task);
            this.dueNanos = dueNanos;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            tasks.remove(this);
            return super.cancel(mayInterruptIfRunning);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - nowNanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private final class ManualClock extends Clock {

        @Override
        public Instant instant() {
            return START.plusNanos(nowNanos).plus(clockOffset);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("always UTC");
        }
    }
}

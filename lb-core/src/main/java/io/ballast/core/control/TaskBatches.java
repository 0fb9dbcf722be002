package io.ballast.core.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are due at the same moment and share one timer of a thread, because thousands of timers cost more than
 * most of the tasks.
 *
 * <p>Thread safety: every method may be called from any thread; guarded by this.
 */
final class TaskBatches {

    /**
     * Maximum difference between the delay of a task and the remaining delay of a batch with the same due time.
     * If a change of the wall clock causes a larger difference, the task gets a new batch.
     */
    private static final long TOLERANCE_NANOS = 1_000_000;

    private final ScheduledExecutorService thread;
    private final Map<Long, Batch> waiting = new HashMap<>();

    TaskBatches(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    /**
     * Schedules a task.
     *
     * @param task must not throw
     * @param moment due time on any clock; tasks with the same due time run together, in the order in which they
     *     were added
     */
    synchronized ScheduledTask add(Runnable task, long moment, long delayNanos) {
        Batch batch = waiting.get(moment);
        if (batch == null || Math.abs(batch.delayNanos() - delayNanos) > TOLERANCE_NANOS) {
            batch = new Batch(moment, delayNanos);
            waiting.put(moment, batch);
        }
        Entry entry = new Entry(batch, task);
        batch.entries.add(entry);
        batch.remainingTasks++;
        return entry;
    }

    private synchronized void close(Batch batch) {
        waiting.remove(batch.moment, batch);
    }

    private synchronized void cancelEntry(Entry entry) {
        if (entry.task == null) {
            return;
        }
        entry.task = null;
        Batch batch = entry.batch;
        batch.remainingTasks--;
        if (batch.remainingTasks == 0) {
            batch.timer.cancel(/* mayInterruptIfRunning= */ false);
            close(batch);
        }
    }

    private synchronized @Nullable Runnable takeTask(Entry entry) {
        Runnable task = entry.task;
        entry.task = null;
        return task;
    }

    private final class Batch {

        private final long moment;
        private final List<Entry> entries = new ArrayList<>();
        private final ScheduledFuture<?> timer;
        private int remainingTasks;

        Batch(long moment, long delayNanos) {
            this.moment = moment;
            this.timer = thread.schedule(this::run, delayNanos, TimeUnit.NANOSECONDS);
        }

        long delayNanos() {
            return timer.getDelay(TimeUnit.NANOSECONDS);
        }

        private void run() {
            close(this); // no tasks are added after this point
            for (Entry entry : entries) {
                Runnable task = takeTask(entry);
                if (task != null) {
                    task.run();
                }
            }
        }
    }

    /** A task in a batch; the task is null after it has started or was cancelled. */
    private final class Entry implements ScheduledTask {

        private final Batch batch;
        private @Nullable Runnable task;

        Entry(Batch batch, Runnable task) {
            this.batch = batch;
            this.task = task;
        }

        @Override
        public Duration remaining() {
            return Duration.ofNanos(batch.delayNanos());
        }

        @Override
        public void cancel() {
            cancelEntry(this);
        }
    }
}

package io.ballast.cluster.raft;

import io.microraft.executor.RaftNodeExecutor;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The thread and the clock of MicroRaft. MicroRaft is configured in whole seconds, which are too long here, so one
 * second of this clock lasts {@value #MILLIS_PER_SECOND} ms. Changes of the system time do not affect the clock,
 * because elections depend on it.
 */
public final class LogTime extends Clock implements RaftNodeExecutor {

    static final int MILLIS_PER_SECOND = 200;
    private static final int SPEED = 1000 / MILLIS_PER_SECOND;

    /**
     * Maximum random extension of a task's delay, as a share of the delay, so that nodes do not act at the same time.
     */
    private static final double MAX_JITTER = 0.2;

    private final ScheduledExecutorService thread;
    private final Random random;
    private final long start = System.nanoTime();

    /**
     * The clock starts at one hour, because MicroRaft initializes the time of the last heartbeat to 0, and this time
     * must not look recent.
     */
    private volatile long advancedMillis = TimeUnit.HOURS.toMillis(1);

    public LogTime(ScheduledExecutorService thread, Random random) {
        this.thread = thread;
        this.random = random;
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    @Override
    public void submit(Runnable task) {
        thread.execute(task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        long nanos = unit.toNanos(delay) / SPEED;
        thread.schedule(task, nanos + (long) (nanos * MAX_JITTER * random.nextDouble()), TimeUnit.NANOSECONDS);
    }

    @Override
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis((System.nanoTime() - start) * SPEED) + advancedMillis;
    }

    /** Advances the clock, so that a timeout of MicroRaft expires. Called on the log thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread writes it
    public void advance(int seconds) {
        advancedMillis += TimeUnit.SECONDS.toMillis(seconds);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the clock has no time zone");
    }
}

package io.ballast.core.watchdog;

/**
 * How long one thread has not beaten, and how much of that time it could have used: it ran, or it was blocked although the
 * process got CPU. A thread that is ready to run and gets no CPU makes no use of its time, and is not to blame.
 *
 * <p>While the process gets only a part of the CPU that it asks for, a blocked thread may wait for another thread that gets
 * none, so only that part of its time counts.
 *
 * <p>Confined to the watchdog's thread.
 */
final class HeartbeatGap {

    private SchedulerTimes start = SchedulerTimes.UNKNOWN;
    private SchedulerTimes before = SchedulerTimes.UNKNOWN;
    private int turns;
    private long usableNanos;

    /** The thread has beaten. */
    void end() {
        turns = 0;
        usableNanos = 0;
    }

    /**
     * Another turn of the watchdog has gone by without a beat.
     *
     * @param now the times of the thread
     * @param turnNanos how long the turn took, by the clock
     * @param maxNanos how much of it counts at most: a longer turn means that the whole process was stopped
     * @param missingCpu the part of the CPU that the process asked for in this turn and did not get
     */
    void continues(SchedulerTimes now, long turnNanos, long maxNanos, double missingCpu) {
        turns++;
        if (turns == 1) {
            start = now; // when it began within this turn is not known
            before = now;
            usableNanos = now.isRunnable() ? 0 : (long) (maxNanos * (1 - missingCpu));
            return;
        }
        long ran = Math.max(0, now.ranNanos() - before.ranNanos());
        long waited = Math.max(0, now.waitedNanos() - before.waitedNanos());
        long blocked = now.isRunnable() ? 0 : Math.max(0, turnNanos - ran - waited);
        usableNanos += Math.min(maxNanos, ran + (long) (blocked * (1 - missingCpu)));
        before = now;
    }

    /** Number of turns of the gap. */
    int turns() {
        return turns;
    }

    /** CPU time that the thread could have used during the gap. */
    long usableNanos() {
        return usableNanos;
    }

    /** CPU time of the thread during the gap. */
    long ranNanos() {
        return Math.max(0, before.ranNanos() - start.ranNanos());
    }
}

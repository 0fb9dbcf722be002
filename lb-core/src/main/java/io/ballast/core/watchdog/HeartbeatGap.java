package io.ballast.core.watchdog;

/**
 * The time since the last beat of one thread, and the part of it that the thread could have used. This part
 * includes the time on a CPU, and the time in which the thread was blocked although the process got CPU. It
 * excludes the time in which the thread was ready to run and got no CPU.
 *
 * <p>If the process gets only a fraction of the CPU time that it needs, a blocked thread may be waiting for
 * another thread that gets none. So only the same fraction of the blocked time counts.
 *
 * <p>Confined to the watchdog's thread.
 */
final class HeartbeatGap {

    private SchedulerTimes start = SchedulerTimes.UNKNOWN;
    private SchedulerTimes before = SchedulerTimes.UNKNOWN;
    private int turns;
    private long usableNanos;

    /** Resets the gap after a beat of the thread. */
    void reset() {
        turns = 0;
        usableNanos = 0;
    }

    /**
     * Extends the gap by a turn of the watchdog during which the thread did not send a heartbeat.
     *
     * @param now the thread's scheduler times at the end of the turn
     * @param turnNanos the wall-clock duration of the turn
     * @param maxNanos the maximum of {@code turnNanos} that counts; a longer turn means that the whole process
     *     was suspended
     * @param missingCpu the fraction of the CPU time that the process needed in this turn and did not get
     */
    void extend(SchedulerTimes now, long turnNanos, long maxNanos, double missingCpu) {
        turns++;
        if (turns == 1) {
            start = now; // it is unknown when the gap started within this turn, so measure from the end of the turn
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

    /** Number of watchdog turns in the gap. */
    int turns() {
        return turns;
    }

    /** The part of the gap in which the thread ran, or was blocked while CPU time was available. */
    long usableNanos() {
        return usableNanos;
    }

    /** CPU time that the thread used during the gap. */
    long ranNanos() {
        return Math.max(0, before.ranNanos() - start.ranNanos());
    }
}

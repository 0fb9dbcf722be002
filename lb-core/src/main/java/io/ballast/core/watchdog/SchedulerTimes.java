package io.ballast.core.watchdog;

/**
 * The operating system's scheduler statistics for a thread, or for all threads of the process together.
 *
 * @param ranNanos the time on a CPU since the thread started
 * @param waitedNanos the time during which it was ready to run but had no CPU
 * @param isRunnable whether it is running or ready to run; false if it is blocked
 */
record SchedulerTimes(long ranNanos, long waitedNanos, boolean isRunnable) {

    /** Used if the times of a thread are unknown; the thread then counts as blocked. */
    static final SchedulerTimes UNKNOWN = new SchedulerTimes(0, 0, /* isRunnable= */ false);
}

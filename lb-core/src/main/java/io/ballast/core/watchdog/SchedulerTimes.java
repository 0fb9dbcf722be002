package io.ballast.core.watchdog;

/**
 * The statistics of the system's scheduler for a thread, or for all threads of the process together.
 *
 * @param ranNanos the time on a CPU since its start
 * @param waitedNanos the time it was ready to run and had no CPU
 * @param isRunnable whether it is running or ready to run; false if it is blocked
 */
record SchedulerTimes(long ranNanos, long waitedNanos, boolean isRunnable) {

    /** Times of an unknown thread, which counts as blocked. */
    static final SchedulerTimes UNKNOWN = new SchedulerTimes(0, 0, /* isRunnable= */ false);
}

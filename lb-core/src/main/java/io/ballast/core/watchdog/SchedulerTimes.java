package io.ballast.core.watchdog;

/**
 * What the system's scheduler tells of a thread, or of all threads of the process together.
 *
 * @param ranNanos how long it has run on a CPU since its start
 * @param waitedNanos how long it has been ready to run and had no CPU
 * @param isRunnable whether it runs now or is ready to; false if it is blocked
 */
record SchedulerTimes(long ranNanos, long waitedNanos, boolean isRunnable) {

    /** For a thread of which nothing is known: it counts as blocked. */
    static final SchedulerTimes UNKNOWN = new SchedulerTimes(0, 0, /* isRunnable= */ false);
}

package io.ballast.core.watchdog;

/** Reports the CPU time of threads. Thread safety: for the watchdog's thread only. */
interface Scheduler {

    /**
     * Returns the times of one thread; {@link SchedulerTimes#UNKNOWN} if it has ended or nothing is known.
     *
     * @param nativeId the system's number of the thread; 0 if it is not known
     */
    SchedulerTimes ofThread(long nativeId);

    /** Returns the sums over all threads that the process has now; {@link SchedulerTimes#UNKNOWN} if nothing is known. */
    SchedulerTimes ofProcess();
}

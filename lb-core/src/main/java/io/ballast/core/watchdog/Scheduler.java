package io.ballast.core.watchdog;

/** Reports the CPU time of threads. Thread safety: used only by the watchdog's thread. */
interface Scheduler {

    /**
     * Returns the times of one thread; {@link SchedulerTimes#UNKNOWN} if it has ended or its times are unknown.
     *
     * @param nativeId the operating system's ID of the thread; 0 if it is not known
     */
    SchedulerTimes ofThread(long nativeId);

    /**
     * Returns the sums over all current threads of the process; {@link SchedulerTimes#UNKNOWN} if they are
     * unknown.
     */
    SchedulerTimes ofProcess();
}

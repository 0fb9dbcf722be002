package io.ballast.dns.follow;

/** Runs tasks after a delay. Thread safety: any thread may call it. */
@FunctionalInterface
public interface DelayedExecutor {

    /** Runs a task on any thread, after a delay of 0 or more. The task must not block. */
    void run(Runnable task, long delayNanos);
}

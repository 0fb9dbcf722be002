package io.ballast.dns.follow;

/** A timer. Thread safety: any thread may call it. */
@FunctionalInterface
public interface Later {

    /** Runs a task that returns at once, after a delay of 0 or more, on any thread. */
    void run(Runnable task, long delayNanos);
}

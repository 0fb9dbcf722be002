package io.ballast.dns.zone;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task on an executor. Requests are ignored while a requested run has not started yet.
 *
 * <p>Thread safety: any thread may request a run; the executor runs the task.
 */
final class CoalescingTask {

    private final Executor executor;
    private final Runnable task;
    private final AtomicBoolean waiting = new AtomicBoolean();

    CoalescingTask(Executor executor, Runnable task) {
        this.executor = executor;
        this.task = task;
    }

    /** Requests a run that begins after this call. */
    void request() {
        if (waiting.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            executor.execute(() -> {
                waiting.set(false);
                task.run();
            });
        }
    }
}

package io.ballast.dns.zone;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task on an executor; further requests are ignored while a run waits to start.
 *
 * <p>Thread safety: any thread may request it; the executor runs the task.
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

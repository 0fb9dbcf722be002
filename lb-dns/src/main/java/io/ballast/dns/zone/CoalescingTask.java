package io.ballast.dns.zone;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task once for all that asked for it while it waited.
 *
 * <p>Thread safety: any thread may ask; the executor runs the task.
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

package io.ballast.core.control;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A task that waits for its time on the control plane.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class ScheduledTask {

    private final ScheduledFuture<?> future;

    ScheduledTask(ScheduledFuture<?> future) {
        this.future = future;
    }

    /** How long until it is due; negative once it is overdue. */
    public Duration remaining() {
        return Duration.ofNanos(future.getDelay(TimeUnit.NANOSECONDS));
    }

    /** Takes it back; nothing happens if it has begun. */
    public void cancel() {
        future.cancel(/* mayInterruptIfRunning= */ false);
    }
}

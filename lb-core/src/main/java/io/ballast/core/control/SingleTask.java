package io.ballast.core.control;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A task with its own timer. */
record SingleTask(ScheduledFuture<?> future) implements ScheduledTask {

    @Override
    public Duration remaining() {
        return Duration.ofNanos(future.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public void cancel() {
        future.cancel(/* mayInterruptIfRunning= */ false);
    }
}

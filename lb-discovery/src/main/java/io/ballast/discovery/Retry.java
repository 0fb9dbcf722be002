package io.ballast.discovery;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Retries an action with exponential backoff up to a limit.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class Retry {

    private final ControlPlane control;
    private final Duration first;
    private final Duration max;
    private final Runnable task;

    /** Before the last try; zero before the first. */
    private Duration lastPause = Duration.ZERO;

    /** The next try; null if none is waited for. */
    private @Nullable ScheduledTask waiting;

    /**
     * @param first the first pause
     * @param max the longest
     */
    Retry(ControlPlane control, Duration first, Duration max, Runnable task) {
        this.control = control;
        this.first = first;
        this.max = max;
        this.task = task;
    }

    /** Schedules another attempt. Called while none is scheduled. */
    void later() {
        Duration pause = lastPause.isZero() ? first : lastPause.multipliedBy(2);
        lastPause = pause.compareTo(max) < 0 ? pause : max;
        waiting = control.scheduleTask(
                () -> {
                    waiting = null;
                    task.run();
                },
                lastPause);
    }

    boolean isWaiting() {
        return waiting != null;
    }

    /** There is nothing to try again; the next pause is the first. */
    void end() {
        lastPause = Duration.ZERO;
        ScheduledTask next = waiting;
        if (next != null) {
            next.cancel();
            waiting = null;
        }
    }
}

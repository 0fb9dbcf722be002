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

    /** The pause before the last attempt; zero before the first attempt. */
    private Duration lastPause = Duration.ZERO;

    /** The next attempt; null if none is scheduled. */
    private @Nullable ScheduledTask nextAttempt;

    /**
     * @param first the first pause
     * @param max the maximum pause
     */
    Retry(ControlPlane control, Duration first, Duration max, Runnable task) {
        this.control = control;
        this.first = first;
        this.max = max;
        this.task = task;
    }

    /** Schedules another attempt. Must only be called while no attempt is scheduled. */
    void scheduleAttempt() {
        Duration pause = lastPause.isZero() ? first : lastPause.multipliedBy(2);
        lastPause = pause.compareTo(max) < 0 ? pause : max;
        nextAttempt = control.scheduleTask(
                () -> {
                    nextAttempt = null;
                    task.run();
                },
                lastPause);
    }

    boolean isWaiting() {
        return nextAttempt != null;
    }

    /** Resets the backoff after a success, so that the next pause is the initial pause. */
    void resetBackoff() {
        lastPause = Duration.ZERO;
        ScheduledTask next = nextAttempt;
        if (next != null) {
            next.cancel();
            nextAttempt = null;
        }
    }
}

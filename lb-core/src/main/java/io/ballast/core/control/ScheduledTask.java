package io.ballast.core.control;

import java.time.Duration;

/**
 * A scheduled task of the control plane.
 *
 * <p>Thread safety: any thread may call it.
 */
public interface ScheduledTask {

    /** Time until the task is due; negative if it is overdue. */
    Duration remaining();

    /** Cancels the task; does nothing if it has started. */
    void cancel();
}

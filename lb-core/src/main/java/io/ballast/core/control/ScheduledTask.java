package io.ballast.core.control;

import java.time.Duration;

/**
 * A task that waits for its time on the control plane.
 *
 * <p>Thread safety: any thread may call it.
 */
public interface ScheduledTask {

    /** How long until it is due; negative once it is overdue. */
    Duration remaining();

    /** Takes it back; nothing happens if it has begun. */
    void cancel();
}

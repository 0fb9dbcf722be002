package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Increases the weight of one backend in ten steps of equal duration, from one tenth to its full weight.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class SlowStart {

    private final ControlPlane control;
    private final Backend backend;
    private final Runnable onStep;
    private @Nullable ScheduledTask next;

    /** @param stepped called after each step, to recompile the pickers */
    SlowStart(ControlPlane control, Backend backend, Runnable stepped) {
        this.control = control;
        this.backend = backend;
        this.onStep = stepped;
    }

    /**
     * Starts the slow start when the backend gets traffic again; the pool must be compiled after this call. If
     * the time is zero, the backend has its full weight immediately.
     */
    void begin(Duration time) {
        backend.slowStartTenths(time.isZero() ? Backend.ALL_TENTHS : 1);
        resume(time);
    }

    /**
     * Starts the slow start of a backend that has become usable, or ends the slow start of one that has become
     * unusable.
     */
    void onUsabilityChanged(boolean isUsable, Duration time) {
        if (isUsable) {
            begin(time);
        } else {
            end();
        }
    }

    /** Continues a running slow start with another duration; does nothing if none is running. */
    void resume(Duration time) {
        if (next != null) {
            next.cancel();
            next = null;
        }
        if (backend.slowStartTenths() < Backend.ALL_TENTHS) {
            next = control.scheduleTask(() -> step(time), time.dividedBy(Backend.ALL_TENTHS));
        }
    }

    /** Ends the slow start, because the backend takes no traffic. */
    void end() {
        begin(Duration.ZERO);
    }

    /** Cancels the remaining steps of the slow start. */
    void stop() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    private void step(Duration time) {
        next = null;
        backend.slowStartTenths(backend.slowStartTenths() + 1);
        resume(time);
        onStep.run();
    }
}

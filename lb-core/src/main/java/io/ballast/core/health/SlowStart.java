package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Restores the weight of one backend in ten steps of equal length, starting with a tenth.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class SlowStart {

    private final ControlPlane control;
    private final Backend backend;
    private final Runnable onStep;
    private @Nullable ScheduledTask next;

    /** @param stepped called after each step, to compile new pickers */
    SlowStart(ControlPlane control, Backend backend, Runnable stepped) {
        this.control = control;
        this.backend = backend;
        this.onStep = stepped;
    }

    /**
     * Starts when the backend takes traffic again; the pool must be compiled after this call. With a time of
     * zero, the backend has its whole weight at once.
     */
    void begin(Duration time) {
        backend.slowStartTenths(time.isZero() ? Backend.ALL_TENTHS : 1);
        resume(time);
    }

    /** Continues a slow start with another duration, if one is running. */
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

    /** Cancels further steps. */
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

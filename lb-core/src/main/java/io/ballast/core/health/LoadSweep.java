package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.InFlight;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes {@linkplain InFlight#forgetFailures expired load} of failed requests from all backends once per hour.
 *
 * <p>Thread safety: confined to the control plane except for {@link #start}. Cost: one read for each backend.
 */
final class LoadSweep {

    /**
     * The interval of the sweeps. It is longer than the lifetime of any failure's load, and much shorter than the
     * time after which the timestamps in the cells wrap.
     */
    static final Duration PERIOD = Duration.ofHours(1);

    private final ControlPlane control;
    private final Supplier<? extends Collection<Backend>> backends;
    private final LongSupplier nanoTime;
    private @Nullable ScheduledTask next;

    /**
     * @param backends supplies the backends to sweep
     * @param nanoTime the clock of the event loops
     */
    LoadSweep(ControlPlane control, Supplier<? extends Collection<Backend>> backends, LongSupplier nanoTime) {
        this.control = control;
        this.backends = backends;
        this.nanoTime = nanoTime;
    }

    void start() {
        next = control.scheduleTask(this::sweep, PERIOD);
    }

    void stop() {
        if (next != null) {
            next.cancel();
        }
    }

    private void sweep() {
        long now = nanoTime.getAsLong();
        backends.get().forEach(backend -> backend.inFlight().forgetFailures(now));
        start();
    }
}

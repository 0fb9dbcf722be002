package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules the activation of new zone versions. Versions that arrive within the current delay, which is at least
 * {@link #MIN_DELAY}, are activated together. An activation that fails with an unexpected exception is repeated.
 *
 * <p>Thread safety: any thread may call it; the activation runs on the thread that applies changes.
 */
final class ActivationSchedule {

    private static final Logger LOG = LoggerFactory.getLogger(ActivationSchedule.class);

    private static final Duration MIN_DELAY = Duration.ofMillis(200);

    /** Retry delay after an activation that failed for a reason other than the transferred zone. */
    private static final Duration FAILURE_DELAY = Duration.ofSeconds(30);

    /**
     * Ratio of the pause after an activation to the duration of the activation. Activations of zones therefore
     * take at most a fifth of the time.
     */
    private static final int DELAY_FACTOR = 4;

    private final ControlPlane control;
    private final Executor changes;
    private final AtomicBoolean isWaiting = new AtomicBoolean();
    private volatile Duration delay = MIN_DELAY;
    private volatile Runnable activation = () -> {};
    private volatile boolean isClosed;

    /** @param changes serial executor of configuration changes */
    ActivationSchedule(ControlPlane control, Executor changes) {
        this.control = control;
        this.changes = changes;
    }

    /** Sets the task that activates the current versions of all zones. */
    void setActivation(Runnable task) {
        activation = task;
    }

    /** Requests an activation, because a zone has changed. Returns immediately. */
    void request() {
        if (isWaiting.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            control.schedule(() -> changes.execute(this::run), delay);
        }
    }

    private void run() {
        isWaiting.set(false); // versions that arrive from now on may be too late for this activation
        if (isClosed) {
            return;
        }
        long begin = System.nanoTime();
        try {
            activation.run();
        } catch (RuntimeException e) {
            LOG.error("msg=\"cannot activate transferred zones; will retry\" reason=\"{}\"", ErrorText.of(e));
            delay = FAILURE_DELAY;
            request();
            return;
        }
        Duration pause = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(DELAY_FACTOR);
        delay = pause.compareTo(MIN_DELAY) > 0 ? pause : MIN_DELAY;
    }

    /** Ends the schedule. An activation that is already in progress is completed. */
    void close() {
        isClosed = true;
    }
}

package io.ballast.core.health;

import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Checks one target again and again, and tells the backends behind it.
 *
 * <p>The next check starts an interval, give or take a tenth, after the end of the last one; after at most {@value
 * #DISPUTE_SECONDS} s when the last one spoke against what a backend is, so that rise and fall go fast.
 *
 * <p>Thread safety: confined to the control plane; only the probe's answer comes from elsewhere, and is handed over.
 */
final class CheckLoop {

    static final int DISPUTE_SECONDS = 1;

    private static final double JITTER = 0.1;

    private final ControlPlane control;
    private final Probe probe;
    private final RandomGenerator random;
    private final CheckTarget target;
    private List<WatchedBackend> backends = List.of();
    private @Nullable ProbeResult lastResult;
    private boolean stopped;

    CheckLoop(ControlPlane control, Probe probe, RandomGenerator random, CheckTarget target) {
        this.control = control;
        this.probe = probe;
        this.random = random;
        this.target = target;
    }

    /** Starts the first check. */
    void start() {
        check();
    }

    /** Never checks again, and drops the result of a check that runs. */
    void stop() {
        stopped = true;
    }

    /** Replaces the backends that are told. One that has not heard of any check is told the last result at once. */
    void backends(List<WatchedBackend> next) {
        backends = List.copyOf(next);
        if (lastResult != null) {
            for (WatchedBackend backend : backends) {
                if (!backend.firstResult().isDone()) {
                    backend.checked(lastResult);
                }
            }
        }
    }

    private void check() {
        if (stopped) {
            return;
        }
        AtomicBoolean answered = new AtomicBoolean();
        try {
            probe.start(target.address(), target.check(), target.host(), target.timeout(), result -> {
                if (answered.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                    control.execute(() -> finished(result));
                }
            });
        } catch (RuntimeException e) {
            if (answered.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                finished(new ProbeResult(/* ok= */ false, Duration.ZERO, "check did not start: " + e));
            }
        }
    }

    private void finished(ProbeResult result) {
        if (stopped) {
            return;
        }
        lastResult = result;
        try {
            backends.forEach(backend -> backend.checked(result));
        } finally {
            // Whatever goes wrong while a result is applied, checking goes on.
            control.schedule(this::check, jittered(nextInterval(result)));
        }
    }

    private Duration nextInterval(ProbeResult result) {
        Duration next = backends.stream()
                .map(WatchedBackend::interval)
                .min(Duration::compareTo)
                .orElseThrow();
        boolean disputed = backends.stream().anyMatch(backend -> backend.isDisputedBy(result));
        Duration fast = Duration.ofSeconds(DISPUTE_SECONDS);
        return disputed && fast.compareTo(next) < 0 ? fast : next;
    }

    private Duration jittered(Duration interval) {
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Duration.ofNanos((long) (interval.toNanos() * factor));
    }
}

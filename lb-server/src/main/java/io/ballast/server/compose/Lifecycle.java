package io.ballast.server.compose;

import io.ballast.dashboard.source.Readiness;
import java.util.Optional;

/** The phase of the process between start and end, as reported to load balancers in front of it. Thread-safe. */
final class Lifecycle {

    private enum Phase {
        CHECKING,
        SERVING,
        DRAINING
    }

    private volatile Phase phase = Phase.CHECKING;
    private volatile String failureReason = "";

    /**
     * Records the end of the first checks: every backend was checked, or the time limit has passed. Does not undo
     * a shutdown that has begun.
     */
    public void markServing() {
        if (phase == Phase.CHECKING) {
            phase = Phase.SERVING;
        }
    }

    public void markDraining() {
        phase = Phase.DRAINING;
    }

    /** Whether a shutdown has begun. */
    public boolean isDraining() {
        return phase == Phase.DRAINING;
    }

    /** Records that a thread failed, so that the process will end soon. May be called in any phase. */
    public void markFailed(String reason) {
        failureReason = reason;
    }

    /** Returns the reason if the process ends because of a failure; otherwise empty. */
    public Optional<String> failureReason() {
        return Optional.of(failureReason).filter(reason -> !reason.isEmpty());
    }

    /** @param readiness determines whether the backends are ready; used only while the process serves */
    public Readiness readiness(ReadinessCheck readiness) {
        return failureReason().map(Readiness::notReady).orElseGet(() -> readinessOfPhase(readiness));
    }

    private Readiness readinessOfPhase(ReadinessCheck readiness) {
        return switch (phase) {
            case CHECKING -> Readiness.notReady("backends are being checked for the first time");
            case SERVING -> readiness.missing().map(Readiness::notReady).orElse(Readiness.READY);
            case DRAINING -> Readiness.notReady("shutting down");
        };
    }
}

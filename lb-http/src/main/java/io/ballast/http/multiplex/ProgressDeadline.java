package io.ballast.http.multiplex;

import io.ballast.http.serving.TransferRateGuard;
import java.time.Duration;

/**
 * A deadline for progress by the client, with an idle timeout and a minimum transfer rate. Event-loop
 * confined.
 */
final class ProgressDeadline {

    private final long idleNanos;
    private final TransferRateGuard rateGuard;
    private boolean isActive;
    private long idleEndNanos;

    ProgressDeadline(Duration idle, TransferRateGuard pace) {
        this.idleNanos = idle.toNanos();
        this.rateGuard = pace;
    }

    /** Whether the deadline is active. */
    boolean isActive() {
        return isActive;
    }

    /** Activates the deadline if it is not active. The rate is not measured yet. */
    void begin(long nowNanos) {
        if (!isActive) {
            isActive = true;
            idleEndNanos = nowNanos + idleNanos;
        }
    }

    /** Records {@code bytes} of progress and starts the rate measurement if necessary. */
    void recordProgress(long bytes, long nowNanos) {
        rateGuard.begin(nowNanos);
        if (bytes > 0) {
            idleEndNanos = nowNanos + idleNanos;
            rateGuard.recordProgress(bytes, nowNanos);
        }
    }

    /** Deactivates the deadline. */
    void stop() {
        isActive = false;
        rateGuard.stop();
    }

    boolean isTooSlow(long nowNanos) {
        return isActive && rateGuard.isTooSlow(nowNanos);
    }

    boolean isIdle(long nowNanos) {
        return isActive && idleEndNanos - nowNanos <= 0;
    }

    /** Nanoseconds until the timeout if there is no more progress. */
    long remainingNanos(long nowNanos) {
        return isActive ? rateGuard.minEndNanos(idleEndNanos) - nowNanos : Long.MAX_VALUE;
    }
}

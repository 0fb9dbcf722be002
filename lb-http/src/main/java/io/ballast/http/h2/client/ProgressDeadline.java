package io.ballast.http.h2.client;

import io.ballast.http.serving.TransferRateGuard;
import java.time.Duration;

/** A wait for progress by the client, with an idle timeout and a minimum rate. Event-loop confined. */
final class ProgressDeadline {

    private final long idleNanos;
    private final TransferRateGuard pace;
    private boolean is;
    private long idleEndNanos;

    ProgressDeadline(Duration idle, TransferRateGuard pace) {
        this.idleNanos = idle.toNanos();
        this.pace = pace;
    }

    /** Whether the wait is active. */
    boolean is() {
        return is;
    }

    /** Starts the wait, if it is not active. The rate is not measured yet. */
    void begin(long nowNanos) {
        if (!is) {
            is = true;
            idleEndNanos = nowNanos + idleNanos;
        }
    }

    /** Records {@code bytes} of progress and starts the rate measurement if necessary. */
    void moved(long bytes, long nowNanos) {
        pace.begin(nowNanos);
        if (bytes > 0) {
            idleEndNanos = nowNanos + idleNanos;
            pace.moved(bytes, nowNanos);
        }
    }

    /** Stops the wait. */
    void stop() {
        is = false;
        pace.stop();
    }

    boolean isTooSlow(long nowNanos) {
        return is && pace.isTooSlow(nowNanos);
    }

    boolean isIdle(long nowNanos) {
        return is && idleEndNanos - nowNanos <= 0;
    }

    /** Nanoseconds until the timeout if there is no more progress. */
    long leftNanos(long nowNanos) {
        return is ? pace.endOr(idleEndNanos) - nowNanos : Long.MAX_VALUE;
    }
}

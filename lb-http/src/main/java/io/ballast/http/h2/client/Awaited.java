package io.ballast.http.h2.client;

import io.ballast.http.serving.Pace;
import java.time.Duration;

/** What a client has to go on with: it may not stop for longer than an idle time, nor be slower than a pace. Event-loop confined. */
final class Awaited {

    private final long idleNanos;
    private final Pace pace;
    private boolean is;
    private long idleEndNanos;

    Awaited(Duration idle, Pace pace) {
        this.idleNanos = idle.toNanos();
        this.pace = pace;
    }

    /** Whether the client is waited for. */
    boolean is() {
        return is;
    }

    /** The client is waited for; if it was before, nothing changes. Its pace is not measured yet. */
    void begin(long nowNanos) {
        if (!is) {
            is = true;
            idleEndNanos = nowNanos + idleNanos;
        }
    }

    /** The client has moved so many octets, and is measured from now on if it was not. */
    void moved(long bytes, long nowNanos) {
        pace.begin(nowNanos);
        if (bytes > 0) {
            idleEndNanos = nowNanos + idleNanos;
            pace.moved(bytes, nowNanos);
        }
    }

    /** The client is not waited for any more. */
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

    /** How long it has if nothing more moves. */
    long leftNanos(long nowNanos) {
        return is ? pace.endOr(idleEndNanos) - nowNanos : Long.MAX_VALUE;
    }
}

package io.ballast.http.serving;

import java.time.Duration;

/**
 * Whether a client moves octets at a minimum rate, be it that it sends or that it takes them. Each octet buys it time, on top
 * of a grace at the beginning; it is too slow once what it bought is over. The caller says when the client is the one
 * that is waited for, and gives the time of a clock in nanoseconds.
 *
 * <p>Event-loop confined. Cost: constant, allocates nothing.
 */
public final class Pace {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int bytesPerSecond;
    private final long graceNanos;
    private final long mostNanos;

    private boolean measured;
    private long endNanos;

    /**
     * @param bytesPerSecond 0 for no minimum
     * @param mostAhead how much time octets that moved may buy in advance, if the grace is not longer: who was fast once may
     *     not be slow for hours
     */
    public Pace(int bytesPerSecond, Duration grace, Duration mostAhead) {
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.mostNanos = Math.max(mostAhead.toNanos(), graceNanos);
    }

    /** The client is waited for from now on; if it was before, nothing changes. */
    public void begin(long nowNanos) {
        if (!measured && bytesPerSecond > 0) {
            measured = true;
            endNanos = nowNanos + graceNanos;
        }
    }

    /** The client is waited for from now on, to move so many octets, for all of which it gets the time at once. */
    public void begin(long nowNanos, long bytes) {
        stop();
        begin(nowNanos);
        endNanos += nanos(bytes);
    }

    /** So many octets moved. */
    public void moved(long bytes, long nowNanos) {
        if (measured && bytes > 0) {
            endNanos = earlier(endNanos + nanos(bytes), nowNanos + mostNanos);
        }
    }

    /** The client is not waited for any more; if it is again, there is another grace. */
    public void stop() {
        measured = false;
    }

    /** Whether the client is waited for, and what it bought is over. */
    public boolean isTooSlow(long nowNanos) {
        return measured && endNanos - nowNanos <= 0;
    }

    /** When the client is too slow if nothing more moves, or {@code otherNanos} if that is earlier. */
    public long endOr(long otherNanos) {
        return measured ? earlier(endNanos, otherNanos) : otherNanos;
    }

    private long nanos(long bytes) {
        return bytesPerSecond == 0 ? 0 : bytes * NANOS_PER_SECOND / bytesPerSecond;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}

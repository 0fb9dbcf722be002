package io.ballast.http.serving;

import java.time.Duration;

/**
 * Checks that a client sends or reads at a minimum rate. A client has an initial grace period, and each
 * transferred byte earns it more time. The client is too slow once the earned time has passed. The caller
 * reports when it waits for the client, and passes the time of a nanosecond clock.
 *
 * <p>Event-loop confined. Cost: constant, no allocation.
 */
public final class TransferRateGuard {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int bytesPerSecond;
    private final long graceNanos;
    private final long maxNanos;

    private boolean measured;
    private long endNanos;

    /**
     * @param bytesPerSecond the minimum rate; 0 for none
     * @param maxAhead the maximum time credit of a client that transfers faster than the minimum rate, unless the
     *     grace period is longer; the limit ensures that a fast start cannot compensate for hours of slow
     *     transfer
     */
    public TransferRateGuard(int bytesPerSecond, Duration grace, Duration maxAhead) {
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = grace.toNanos();
        this.maxNanos = Math.max(maxAhead.toNanos(), graceNanos);
    }

    /** Starts waiting for the client; does nothing if already waiting. */
    public void begin(long nowNanos) {
        if (!measured && bytesPerSecond > 0) {
            measured = true;
            endNanos = nowNanos + graceNanos;
        }
    }

    /**
     * Starts a wait for the client to send or read {@code bytes} bytes. The client gets the time for all of
     * these bytes in advance, in addition to the grace period.
     */
    public void begin(long nowNanos, long bytes) {
        stop();
        begin(nowNanos);
        endNanos += nanos(bytes);
    }

    /** Records that {@code bytes} bytes were transferred. */
    public void recordProgress(long bytes, long nowNanos) {
        if (measured && bytes > 0) {
            endNanos = earlier(endNanos + nanos(bytes), nowNanos + maxNanos);
        }
    }

    /** Stops waiting for the client; the next wait has a new grace period. */
    public void stop() {
        measured = false;
    }

    /**
     * Whether the client has used up the time that it earned with transferred bytes; false if the server is not
     * waiting for the client.
     */
    public boolean isTooSlow(long nowNanos) {
        return measured && endNanos - nowNanos <= 0;
    }

    /** The time at which a client without progress becomes too slow, or {@code otherNanos} if that is earlier. */
    public long minEndNanos(long otherNanos) {
        return measured ? earlier(endNanos, otherNanos) : otherNanos;
    }

    private long nanos(long bytes) {
        return bytesPerSecond == 0 ? 0 : bytes * NANOS_PER_SECOND / bytesPerSecond;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}

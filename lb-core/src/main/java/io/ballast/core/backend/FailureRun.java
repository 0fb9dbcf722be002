package io.ballast.core.backend;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts consecutive failed requests of a backend, over all event loops; an answer resets the count. Only
 * failures that a request can cause on a healthy backend are counted. A client that sends many such requests
 * therefore cannot cause an ejection while the backend answers other requests. The first and the last failure
 * must also be {@value #MIN_MILLIS} ms apart, so that a burst of such requests between two answers is not
 * enough.
 *
 * <p>Cost: an answer reads one field that is written only while requests fail.
 *
 * <p>Thread safety: any thread may call any method. A failure and an answer at the same moment may take
 * effect in either order.
 */
public final class FailureRun {

    static final int MIN_MILLIS = 1000;

    private static final long NONE = 0;

    /**
     * The upper half is the number of failures. The lower half is the time of the first failure, in milliseconds
     * of a clock that may wrap.
     */
    private final AtomicLong packed = new AtomicLong();

    /** Records that the backend answered a request. */
    public void recordResponse() {
        if (packed.getOpaque() != NONE) {
            packed.set(NONE);
        }
    }

    /**
     * Records a failed request.
     *
     * @param max the number of consecutive failures at which the threshold is reached, at least 1
     * @param nowNanos the time of {@link System#nanoTime}
     * @return a description such as "5 requests in a row failed" if the threshold is reached, after which
     *     counting restarts; otherwise null
     */
    public @Nullable String recordFailure(int max, long nowNanos) {
        int nowMillis = (int) (nowNanos / 1_000_000);
        while (true) {
            long now = packed.get();
            int count = (int) (now >>> Integer.SIZE) + 1;
            int sinceMillis = now == NONE ? nowMillis : (int) now;
            boolean isEnough = count >= max && nowMillis - sinceMillis >= MIN_MILLIS;
            long next = isEnough
                    ? NONE
                    : (long) Math.min(count, Integer.MAX_VALUE - 1) << Integer.SIZE | (sinceMillis & 0xFFFF_FFFFL);
            if (packed.compareAndSet(now, next)) {
                return isEnough ? count + " requests in a row failed" : null;
            }
        }
    }
}

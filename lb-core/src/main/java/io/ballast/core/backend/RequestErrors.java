package io.ballast.core.backend;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts consecutive failed requests of a backend, over all event loops, and decides when to eject it.
 *
 * <p>An error adds one to the score, a response halves it. A backend that answers only one request in ten is therefore
 * detected; a backend that fails one request in three is not. The first and the last error must also be
 * {@value #MIN_MILLIS} ms apart. All exchanges of a broken connection fail together, and at thousands of requests per
 * second, a few consecutive errors do not indicate a failed backend.
 *
 * <p>After an ejection, a backend is on probation until its first response: one error is then enough.
 * Exchanges that started before the end of the ejection are ignored, because they may have waited.
 *
 * <p>Cost: a response reads one field that is written only while errors occur.
 *
 * <p>Thread safety: any thread may call any method. An error and a response at the same moment may take
 * effect in either order.
 */
public final class RequestErrors {

    static final int MIN_MILLIS = 20;

    /** Limit of the counters of {@link ErrorCounts}. */
    private static final int MAX = 4095;

    private static final int MAX_SCORE = 127;
    private static final long NONE = 0;

    /** The value of {@link #packed} during the probation after an ejection. */
    private static final long PROBATION = Long.MIN_VALUE;

    private volatile int probations;

    /** The current {@link ErrorCounts} in packed form. */
    private final AtomicLong packed = new AtomicLong();

    private final AtomicLong total = new AtomicLong();

    /**
     * The counts since the score was last zero.
     *
     * @param score the number of errors, halved by each answer
     * @param errors the number of failed requests
     * @param answers the number of answered requests
     * @param sinceMillis the start time, on a clock with an arbitrary origin that may wrap
     */
    private record ErrorCounts(int score, int errors, int answers, int sinceMillis) {

        static ErrorCounts of(long packed) {
            return new ErrorCounts(
                    (int) (packed >>> 56) & 0x7F, (int) (packed >>> 44) & 0xFFF, (int) (packed >>> 32) & 0xFFF, (int)
                            packed);
        }

        long pack() {
            return score == 0
                    ? NONE
                    : ((long) score << 56)
                            | ((long) errors << 44)
                            | ((long) answers << 32)
                            | (sinceMillis & 0xFFFF_FFFFL);
        }

        ErrorCounts error() {
            return new ErrorCounts(Math.min(score + 1, MAX_SCORE), Math.min(errors + 1, MAX), answers, sinceMillis);
        }

        ErrorCounts answer() {
            return new ErrorCounts(score / 2, errors, Math.min(answers + 1, MAX), sinceMillis);
        }
    }

    /** Number of ejections that have ended; read when an exchange starts. */
    public int probations() {
        return probations;
    }

    /**
     * Records a response that is not an error.
     *
     * @param started the value of {@link #probations} when the exchange started
     */
    public void recordSuccess(int started) {
        for (long now = packed.getOpaque(); now != NONE; now = packed.get()) {
            if (started != probations) {
                return;
            }
            long next = now == PROBATION ? NONE : ErrorCounts.of(now).answer().pack();
            if (packed.compareAndSet(now, next)) {
                return;
            }
        }
    }

    /**
     * Records a failed request.
     *
     * @param started the value of {@link #probations} when the exchange started
     * @param max number of errors that reach the threshold, 1 to 127
     * @param nowNanos the time of {@link System#nanoTime}
     * @return a description such as "5 of 5 requests failed" if the threshold is reached, after which counting
     *     restarts; otherwise null
     */
    public @Nullable String recordFailure(int started, int max, long nowNanos) {
        if (started != probations) {
            return null;
        }
        total.incrementAndGet();
        int nowMillis = (int) (nowNanos / 1_000_000);
        while (true) {
            long now = packed.get();
            if (now == PROBATION) {
                if (packed.compareAndSet(now, NONE)) {
                    return "the first request failed again";
                }
                continue;
            }
            ErrorCounts next = (now == NONE ? new ErrorCounts(0, 0, 0, nowMillis) : ErrorCounts.of(now)).error();
            boolean enough = next.score >= max && nowMillis - next.sinceMillis >= MIN_MILLIS;
            if (packed.compareAndSet(now, enough ? NONE : next.pack())) {
                return enough ? next.errors + " of " + (next.errors + next.answers) + " requests failed" : null;
            }
        }
    }

    /** Number of failed requests since the backend was created. */
    public long total() {
        return total.get();
    }

    /** Starts the probation when an ejection ends. Called by the control plane only. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the control plane writes it
    public void startProbation() {
        probations++; // increment first: an exchange that reads the new count also sees the probation or its result
        packed.set(PROBATION);
    }
}

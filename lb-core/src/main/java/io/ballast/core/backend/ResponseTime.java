package io.ballast.core.backend;

/**
 * A peak-sensitive, decaying average of response times (peak EWMA, as in Finagle's <a
 * href="https://twitter.github.io/finagle/guide/Clients.html#power-of-two-choices-p2c-least-loaded">load
 * balancers</a>). A sample above the average replaces it at once. Samples below the average reduce it with a
 * time constant of {@value #TAU_SECONDS} s. Without samples, the average decays as if samples of zero
 * arrived, so that a backend that was slow once is tried again.
 *
 * <p>Value (microseconds, a float) and timestamp (units of 2^14 ns, about 16 µs) are packed into one {@code
 * long}, so every event loop writes both with one opaque store. If two loops write at the same moment, one
 * sample is lost, which hardly changes the average. The timestamp wraps after 19 hours. The first sample
 * after such a long idle time is applied with a wrong elapsed time.
 */
public final class ResponseTime {

    static final int TAU_SECONDS = 10;

    private static final int UNIT_SHIFT = 14;
    private static final float EIGHTHS_OF_TAU_PER_UNIT = (1 << UNIT_SHIFT) / (TAU_SECONDS * 1e9f) / 8;

    /**
     * Maximum value, in microseconds, to which failures alone can raise the average: one minute. The average
     * decays from this value within two minutes.
     */
    private static final float MAX_BY_DOUBLING = 60e6f;

    private final long[] cells;
    private final int cell;

    public ResponseTime() {
        this(new long[1], 0);
    }

    /** Stores the average in a cell of a shared array. */
    ResponseTime(long[] cells, int cell) {
        this.cells = cells;
        this.cell = cell;
    }

    /** Adds one response time. */
    public void record(long responseNanos, long nowNanos) {
        float sample = responseNanos / 1000f;
        long packed = packed();
        float kept = decayFactor(packed, nowNanos);
        float average = value(packed) * kept;
        store(sample >= average ? sample : average + sample * (1 - kept), nowNanos);
    }

    /**
     * Records a failure that took {@code elapsedNanos} as a response of at least twice the average and at least
     * {@code penaltyNanos}, so that a backend that fails fast does not look fast. Failures alone raise the
     * average to at most one minute.
     */
    public void recordFailure(long elapsedNanos, long penaltyNanos, long nowNanos) {
        float penalty = Math.max(elapsedNanos, penaltyNanos) / 1000f;
        store(Math.max(penalty, Math.min(2 * micros(nowNanos), MAX_BY_DOUBLING)), nowNanos);
    }

    /** The average in microseconds, decayed to the time {@code nowNanos}; 0 if nothing was recorded yet. */
    public float micros(long nowNanos) {
        return micros(packed(), nowNanos);
    }

    /** Returns the decayed average in microseconds for the content of a cell. */
    static float micros(long packed, long nowNanos) {
        return value(packed) * decayFactor(packed, nowNanos);
    }

    private long packed() {
        return (long) LoadCells.CELLS.getOpaque(cells, cell);
    }

    private static float value(long packed) {
        return Float.intBitsToFloat((int) (packed >>> 32));
    }

    /**
     * Returns the remaining share of the old average: {@code exp(-t)}, where {@code t} is the elapsed time divided by
     * the time constant. It is computed as the eighth power of {@code exp(-t / 8)}, from the first terms of the series
     * of {@code exp(t / 8)}. With the series of {@code exp(t)}, the average would decay so slowly that a backend would
     * get no requests for seven minutes after one failure.
     */
    private static float decayFactor(long packed, long nowNanos) {
        int elapsed = (int) (nowNanos >>> UNIT_SHIFT) - (int) packed;
        float x = Math.max(elapsed, 0) * EIGHTHS_OF_TAU_PER_UNIT;
        float eighth = 1 / (1 + x + 0.5f * x * x);
        float quarter = eighth * eighth;
        float half = quarter * quarter;
        return half * half;
    }

    private void store(float micros, long nowNanos) {
        // The value zero is reserved for "never measured".
        long value = Float.floatToRawIntBits(Math.max(micros, 0.001f));
        LoadCells.CELLS.setOpaque(cells, cell, (value << 32) | ((nowNanos >>> UNIT_SHIFT) & 0xFFFF_FFFFL));
    }
}

package io.ballast.core.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts durations in fixed log-linear buckets (the layout of HdrHistogram). Each power of two has {@value
 * #SUB_BUCKETS} equal buckets, so the width of a bucket is at most {@code 1/16} of its value. The unit is
 * microseconds. The longest duration is about 71 minutes; longer durations are counted in the last bucket.
 *
 * <p>Thread safety: one writer, any number of readers. Cost: recording is a shift, two loads and two opaque
 * stores; the first call allocates {@code 8 * BUCKETS} bytes, later calls nothing.
 */
public final class LatencyHistogram {

    static final int SUB_BUCKETS = 16;
    private static final int SUB_BUCKET_BITS = 4;
    private static final int OCTAVES = 32 - SUB_BUCKET_BITS;

    /** Number of buckets. */
    public static final int BUCKETS = SUB_BUCKETS * (OCTAVES + 1);

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SUM = BUCKETS;

    private static final VarHandle OWN;
    private static final long[] NOTHING_YET = {};

    static {
        try {
            OWN = MethodHandles.lookup().findVarHandle(LatencyHistogram.class, "own", long[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long[] own = NOTHING_YET;

    /** Records one duration; a negative one counts as zero. */
    public void record(long nanos) {
        long[] cells = own == NOTHING_YET ? allocateBuckets() : own;
        long clipped = Math.max(nanos, 0);
        int bucket = bucketOf(clipped / 1000);
        CELLS.setOpaque(cells, bucket, cells[bucket] + 1);
        CELLS.setOpaque(cells, SUM, cells[SUM] + clipped);
    }

    /**
     * Allocates the buckets at the first call of {@link #record}. Backends that are used only by DNS never need
     * buckets, and there may be tens of thousands of such backends.
     */
    private long[] allocateBuckets() {
        long[] cells = new long[BUCKETS + 1];
        OWN.setRelease(this, cells);
        return cells;
    }

    /** Returns the index of the first non-empty bucket; {@link #BUCKETS} if all are empty. */
    int first() {
        long[] cells = (long[]) OWN.getAcquire(this);
        int first = cells == NOTHING_YET ? BUCKETS : 0;
        while (first < BUCKETS && (long) CELLS.getOpaque(cells, first) == 0) {
            first++;
        }
        return first;
    }

    /** Returns the index after the last non-empty bucket; 0 if all are empty. */
    int end() {
        long[] cells = (long[]) OWN.getAcquire(this);
        int end = cells == NOTHING_YET ? 0 : BUCKETS;
        while (end > 0 && (long) CELLS.getOpaque(cells, end - 1) == 0) {
            end--;
        }
        return end;
    }

    /** Adds this histogram's buckets to {@code counts}, which has {@link #BUCKETS} cells, and returns the sum in ns. */
    public long addTo(long[] counts) {
        return addTo(counts, 0);
    }

    /**
     * Adds the buckets, starting at {@code first}, to the cells of {@code counts}, one bucket per cell; returns
     * the sum of all values.
     */
    long addTo(long[] counts, int first) {
        long[] cells = (long[]) OWN.getAcquire(this);
        if (cells == NOTHING_YET) {
            return 0;
        }
        for (int i = 0; i < counts.length; i++) {
            counts[i] += (long) CELLS.getOpaque(cells, first + i);
        }
        return (long) CELLS.getOpaque(cells, SUM);
    }

    /** Returns the index of the bucket for a duration in microseconds. */
    static int bucketOf(long micros) {
        if (micros < SUB_BUCKETS) {
            return (int) micros;
        }
        int octave = 63 - Long.numberOfLeadingZeros(micros) - SUB_BUCKET_BITS;
        int index = (octave << SUB_BUCKET_BITS) + (int) (micros >>> octave);
        return Math.min(index, BUCKETS - 1);
    }

    /** Returns the exclusive upper bound of bucket {@code index}: the first microsecond after it. */
    public static long upperBoundMicros(int index) {
        int next = index + 1;
        if (next <= SUB_BUCKETS) {
            return next;
        }
        int octave = (next >>> SUB_BUCKET_BITS) - 1;
        int subBucket = SUB_BUCKETS + (next & (SUB_BUCKETS - 1));
        return (long) subBucket << octave;
    }
}

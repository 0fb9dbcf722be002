package io.ballast.dashboard.metrics;

import io.ballast.core.backend.BackendStats;
import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import java.util.Arrays;
import java.util.List;

/**
 * Response times of one or several backends in the buckets of the exposition. One object is reused for all histograms
 * of a document. Confined to one thread.
 *
 * <p>The source buckets are at most 1/16 of their value wide. A duration that exceeds a bound by less than that may be
 * counted in the next bucket.
 */
final class HistogramBuckets {

    /** Upper bounds in seconds; the last bucket is for everything above. */
    static final List<String> BOUNDS = List.of(
            "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
            "+Inf");

    /** Upper bounds in seconds for lookups that are mostly in memory. */
    static final List<String> SHORT_BOUNDS = List.of(
            "0.00001",
            "0.000025",
            "0.0001",
            "0.00025",
            "0.001",
            "0.005",
            "0.01",
            "0.025",
            "0.05",
            "0.1",
            "0.25",
            "0.5",
            "1.0",
            "2.5",
            "+Inf");

    private static final double MICROS_PER_SECOND = 1e6;

    private final List<String> bounds;
    private final long[] boundMicros;

    /** For each bound, the first source bucket that lies at least partly above it. */
    private final int[] ends;

    private final long[] cells = new long[LatencyHistogram.BUCKETS];
    private final long[] summed;
    private final long[] upTo;
    private long sumNanos;

    /**
     * @param bounds upper bounds in seconds, ascending; the last is +Inf
     */
    HistogramBuckets(List<String> bounds) {
        this.bounds = bounds;
        this.boundMicros = bounds.stream().mapToLong(HistogramBuckets::micros).toArray();
        this.ends = Arrays.stream(boundMicros).mapToInt(HistogramBuckets::end).toArray();
        this.summed = new long[ends.length];
        this.upTo = new long[ends.length];
    }

    List<String> bounds() {
        return bounds;
    }

    void clear() {
        Arrays.fill(cells, 0);
        Arrays.fill(summed, 0);
        sumNanos = 0;
    }

    void add(BackendStats stats) {
        sumNanos += stats.addLatencyTo(cells);
    }

    void add(LatencySummary times) {
        for (int i = 0; i < summed.length; i++) {
            summed[i] += times.countBelowMicros(boundMicros[i]);
        }
        sumNanos += times.sumNanos();
    }

    /** Computes the cumulative counts. Call it after everything is added. */
    HistogramBuckets counted() {
        long count = 0;
        int cell = 0;
        for (int i = 0; i < ends.length; i++) {
            for (; cell < ends[i]; cell++) {
                count += cells[cell];
            }
            upTo[i] = count + summed[i];
        }
        return this;
    }

    /** Returns the number of durations up to the bound, inclusive. */
    long upTo(int bound) {
        return upTo[bound];
    }

    long count() {
        return upTo[upTo.length - 1];
    }

    long sumNanos() {
        return sumNanos;
    }

    private static long micros(String bound) {
        return bound.equals("+Inf") ? Long.MAX_VALUE : Math.round(Double.parseDouble(bound) * MICROS_PER_SECOND);
    }

    private static int end(long micros) {
        int end = 0;
        while (end < LatencyHistogram.BUCKETS && LatencyHistogram.upperBoundMicros(end) <= micros) {
            end++;
        }
        return end;
    }
}

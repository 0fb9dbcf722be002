package io.ballast.dashboard.metrics;

import io.ballast.core.backend.BackendStats;
import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import java.util.Arrays;
import java.util.List;

/**
 * Response times of one or several backends, counted in the buckets of the metrics output. One object is
 * reused for all histograms of a document. Confined to one thread.
 *
 * <p>Each source bucket is at most 1/16 of its value wide. A duration that is closer to a bound than this width may be
 * counted in the neighboring bucket.
 */
final class HistogramBuckets {

    /** Upper bounds in seconds; the last bucket counts all longer durations. */
    static final List<String> BOUNDS = List.of(
            "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
            "+Inf");

    /** Upper bounds in seconds for lookups that are mostly served from memory. */
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
    private final int[] sourceBucketEnds;

    private final long[] sourceCounts = new long[LatencyHistogram.BUCKETS];
    private final long[] addedCounts;
    private final long[] cumulativeCount;
    private long sumNanos;

    /**
     * @param bounds upper bounds in seconds, ascending; the last is +Inf
     */
    HistogramBuckets(List<String> bounds) {
        this.bounds = bounds;
        this.boundMicros =
                bounds.stream().mapToLong(HistogramBuckets::parseMicros).toArray();
        this.sourceBucketEnds = Arrays.stream(boundMicros)
                .mapToInt(HistogramBuckets::sourceBucketEnd)
                .toArray();
        this.addedCounts = new long[sourceBucketEnds.length];
        this.cumulativeCount = new long[sourceBucketEnds.length];
    }

    List<String> bounds() {
        return bounds;
    }

    void clear() {
        Arrays.fill(sourceCounts, 0);
        Arrays.fill(addedCounts, 0);
        sumNanos = 0;
    }

    void add(BackendStats stats) {
        sumNanos += stats.addLatencyTo(sourceCounts);
    }

    void add(LatencySummary times) {
        for (int i = 0; i < addedCounts.length; i++) {
            addedCounts[i] += times.countBelowMicros(boundMicros[i]);
        }
        sumNanos += times.sumNanos();
    }

    /** Computes the cumulative counts. Call it after everything is added. */
    HistogramBuckets computeCumulativeCounts() {
        long count = 0;
        int cell = 0;
        for (int i = 0; i < sourceBucketEnds.length; i++) {
            for (; cell < sourceBucketEnds[i]; cell++) {
                count += sourceCounts[cell];
            }
            cumulativeCount[i] = count + addedCounts[i];
        }
        return this;
    }

    /** Returns the number of durations up to the bound, inclusive. */
    long cumulativeCount(int bound) {
        return cumulativeCount[bound];
    }

    long count() {
        return cumulativeCount[cumulativeCount.length - 1];
    }

    long sumNanos() {
        return sumNanos;
    }

    private static long parseMicros(String bound) {
        return bound.equals("+Inf") ? Long.MAX_VALUE : Math.round(Double.parseDouble(bound) * MICROS_PER_SECOND);
    }

    private static int sourceBucketEnd(long micros) {
        int end = 0;
        while (end < LatencyHistogram.BUCKETS && LatencyHistogram.upperBoundMicros(end) <= micros) {
            end++;
        }
        return end;
    }
}

package io.ballast.core.stats;

import java.util.List;

/**
 * What latency histograms held at one moment: count, sum and buckets, from which average and percentiles follow.
 *
 * <p>Immutable. Where nothing was recorded it is {@link #NOTHING}, so that thousands of backends without traffic take no
 * memory for it.
 */
public final class LatencySummary {

    /** Of no durations. */
    public static final LatencySummary NOTHING = new LatencySummary(new long[LatencyHistogram.BUCKETS], 0);

    private final long[] counts;
    private final long count;
    private final long sumNanos;

    private LatencySummary(long[] counts, long sumNanos) {
        this.counts = counts;
        this.sumNanos = sumNanos;
        long total = 0;
        for (long c : counts) {
            total += c;
        }
        this.count = total;
    }

    /** Adds up what the histograms of several event loops hold now. */
    public static LatencySummary of(List<LatencyHistogram> shards) {
        if (shards.stream().allMatch(LatencyHistogram::isEmpty)) {
            return NOTHING;
        }
        long[] counts = new long[LatencyHistogram.BUCKETS];
        long sum = 0;
        for (LatencyHistogram shard : shards) {
            sum += shard.addTo(counts);
        }
        return new LatencySummary(counts, sum);
    }

    /** What was recorded between {@code earlier}, an older summary of the same histograms, and this one. */
    public LatencySummary since(LatencySummary earlier) {
        if (count == earlier.count) {
            return NOTHING;
        }
        long[] difference = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            difference[i] = counts[i] - earlier.counts[i];
        }
        return new LatencySummary(difference, sumNanos - earlier.sumNanos);
    }

    /** This summary and {@code other} together, for a pool out of its backends. */
    public LatencySummary plus(LatencySummary other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        long[] sum = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            sum[i] = counts[i] + other.counts[i];
        }
        return new LatencySummary(sum, sumNanos + other.sumNanos);
    }

    public long count() {
        return count;
    }

    public long sumNanos() {
        return sumNanos;
    }

    /** The mean in milliseconds; 0 when nothing was recorded. */
    public double averageMillis() {
        return count == 0 ? 0 : sumNanos / 1e6 / count;
    }

    /** The upper bound, in milliseconds, of the bucket in which the given share lies; 0 when nothing was recorded. */
    public double percentileMillis(double share) {
        if (count == 0) {
            return 0;
        }
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return LatencyHistogram.upperBoundMicros(i) / 1000.0;
            }
        }
        throw new AssertionError("rank " + rank + " of " + count + " not found");
    }

    /** How many durations lay strictly below the given bound, rounded down to a whole bucket. */
    public long countBelowMicros(long micros) {
        long below = 0;
        for (int i = 0; i < counts.length && LatencyHistogram.upperBoundMicros(i) <= micros; i++) {
            below += counts[i];
        }
        return below;
    }
}

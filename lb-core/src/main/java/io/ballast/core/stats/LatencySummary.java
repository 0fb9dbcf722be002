package io.ballast.core.stats;

import java.util.Arrays;
import java.util.List;

/**
 * The content of latency histograms at one moment: count, sum and buckets, from which average and percentiles
 * are computed.
 *
 * <p>Immutable. It stores only the buckets from the first to the last non-empty one. These are few, so
 * thousands of backends need little memory. An empty histogram is {@link #NOTHING}.
 */
public final class LatencySummary {

    /** An empty summary, which contains no durations. */
    public static final LatencySummary NOTHING = new LatencySummary(0, new long[0], 0);

    /** The index of the histogram bucket to which the first element of {@code counts} belongs. */
    private final int first;

    private final long[] counts;
    private final long count;
    private final long sumNanos;

    private LatencySummary(int first, long[] counts, long sumNanos) {
        this.first = first;
        this.counts = counts;
        this.sumNanos = sumNanos;
        long total = 0;
        for (long c : counts) {
            total += c;
        }
        this.count = total;
    }

    /** Returns the sum of the current content of several event loops' histograms. */
    public static LatencySummary of(List<LatencyHistogram> shards) {
        int first = LatencyHistogram.BUCKETS;
        int end = 0;
        for (LatencyHistogram shard : shards) {
            first = Math.min(first, shard.first());
            end = Math.max(end, shard.end());
        }
        if (first >= end) {
            return NOTHING;
        }
        long[] counts = new long[end - first];
        long sum = 0;
        for (LatencyHistogram shard : shards) {
            sum += shard.addTo(counts, first);
        }
        return new LatencySummary(first, counts, sum);
    }

    /**
     * Adds up summaries, for example of a pool's backends, without storing each of them. Confined to one thread.
     */
    public static final class Sum {

        private final long[] counts = new long[LatencyHistogram.BUCKETS];
        private int first = LatencyHistogram.BUCKETS;
        private int end;
        private long sumNanos;

        public void add(LatencySummary part) {
            for (int i = 0; i < part.counts.length; i++) {
                counts[part.first + i] += part.counts[i];
            }
            if (part.count > 0) {
                first = Math.min(first, part.first);
                end = Math.max(end, part.end());
            }
            sumNanos += part.sumNanos;
        }

        /** Returns the sum of all added summaries. */
        public LatencySummary total() {
            return first >= end ? NOTHING : new LatencySummary(first, Arrays.copyOfRange(counts, first, end), sumNanos);
        }
    }

    /** Returns the values recorded after {@code earlier}, an older summary of the same histograms. */
    public LatencySummary since(LatencySummary earlier) {
        if (count == earlier.count) {
            return NOTHING;
        }
        int from = first;
        int end = end();
        while (from < end && at(from) == earlier.at(from)) {
            from++;
        }
        while (end > from && at(end - 1) == earlier.at(end - 1)) {
            end--;
        }
        long[] difference = new long[end - from];
        for (int i = 0; i < difference.length; i++) {
            difference[i] = at(from + i) - earlier.at(from + i);
        }
        return new LatencySummary(from, difference, sumNanos - earlier.sumNanos);
    }

    /** Returns the sum of this summary and {@code other}. */
    public LatencySummary plus(LatencySummary other) {
        if (count == 0 || other.count == 0) {
            return count == 0 ? other : this;
        }
        Sum sum = new Sum();
        sum.add(this);
        sum.add(other);
        return sum.total();
    }

    private long at(int bucket) {
        int index = bucket - first;
        return index < 0 || index >= counts.length ? 0 : counts[index];
    }

    private int end() {
        return first + counts.length;
    }

    public long count() {
        return count;
    }

    public long sumNanos() {
        return sumNanos;
    }

    /** The mean in milliseconds; 0 if no response time was recorded. */
    public double averageMillis() {
        return count == 0 ? 0 : sumNanos / 1e6 / count;
    }

    /**
     * The upper bound, in milliseconds, of the bucket that contains this percentile; 0 if nothing was recorded.
     */
    public double percentileMillis(double share) {
        if (count == 0) {
            return 0;
        }
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return LatencyHistogram.upperBoundMicros(first + i) / 1000.0;
            }
        }
        throw new AssertionError("rank " + rank + " of " + count + " not found");
    }

    /** Returns the number of durations below the bound, rounded down to a whole bucket. */
    public long countBelowMicros(long micros) {
        long below = 0;
        for (int i = 0; i < counts.length && LatencyHistogram.upperBoundMicros(first + i) <= micros; i++) {
            below += counts[i];
        }
        return below;
    }
}

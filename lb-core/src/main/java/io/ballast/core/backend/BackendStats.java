package io.ballast.core.backend;

import io.ballast.core.stats.Counters;
import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import java.util.List;
import java.util.stream.Stream;

/**
 * A backend's counters and the distribution of its response times, one shard for each event loop.
 *
 * <p>Response time runs from the moment the request was handed to a connection to the end of the response, of
 * exchanges that ended well.
 */
public final class BackendStats {

    private final Counters<BackendCounter> counters;
    private final List<LatencyHistogram> latency;

    BackendStats(int shards) {
        this.counters = new Counters<>(BackendCounter.class, shards);
        this.latency = Stream.generate(LatencyHistogram::new).limit(shards).toList();
    }

    /** The counters that event loop {@code index} writes. */
    public Counters.Shard<BackendCounter> counters(int index) {
        return counters.shard(index);
    }

    /** The histogram that event loop {@code index} writes. */
    public LatencyHistogram latency(int index) {
        return latency.get(index);
    }

    /** The total of a counter over all event loops. */
    public long sum(BackendCounter counter) {
        return counters.sum(counter);
    }

    /** How many requests wait for a connection now, because there are as many as allowed. */
    public long waitingForConnection() {
        long over = sum(BackendCounter.CONNECTION_WAITS_OVER); // first: a wait begins before it ends
        return sum(BackendCounter.CONNECTION_WAITS) - over;
    }

    /**
     * Adds the response times of all event loops to {@code counts}, which has {@link LatencyHistogram#BUCKETS} cells, and
     * returns their sum in nanoseconds. Allocates nothing.
     */
    public long addLatencyTo(long[] counts) {
        long sum = 0;
        for (LatencyHistogram shard : latency) {
            sum += shard.addTo(counts);
        }
        return sum;
    }

    /** The distribution of response times over all event loops. */
    public LatencySummary latency() {
        return LatencySummary.of(latency);
    }
}

package io.ballast.core.backend;

import io.ballast.core.stats.Counters;
import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A backend's counters and the distribution of its response times, with one shard per event loop.
 *
 * <p>The response time starts when the request is passed to a connection and ends with the response. Only
 * successful exchanges are measured.
 *
 * <p>The event loops of a second frontend use separate counters, {@link #secondFrontend}; sums include both.
 */
public final class BackendStats {

    private static final VarHandle SECOND_FRONTEND;

    static {
        try {
            SECOND_FRONTEND =
                    MethodHandles.lookup().findVarHandle(BackendStats.class, "secondFrontend", BackendStats.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Counters<BackendCounter> counters;
    private final List<LatencyHistogram> latency;
    /** Counters for a second frontend; created on demand, because most backends serve one frontend. */
    private volatile @Nullable BackendStats secondFrontend;

    BackendStats(int shards) {
        this.counters = new Counters<>(BackendCounter.class, shards);
        this.latency = Stream.generate(LatencyHistogram::new).limit(shards).toList();
    }

    /**
     * Returns the statistics for the event loops of a second frontend. Any thread may call it.
     *
     * @param shards the number of these event loops; must be the same in every call
     */
    public BackendStats ofSecondFrontend(int shards) {
        BackendStats present = secondFrontend;
        if (present == null) {
            BackendStats made = new BackendStats(shards);
            present = (BackendStats) SECOND_FRONTEND.compareAndExchange(this, null, made);
            return present == null ? made : present;
        }
        return present;
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
        BackendStats other = secondFrontend;
        return counters.sum(counter) + (other == null ? 0 : other.sum(counter));
    }

    /** The number of responses from the backend. */
    public long answers() {
        long answers = 0;
        for (int status = 100; status <= 500; status += 100) {
            answers += sum(BackendCounter.ofStatus(status));
        }
        return answers;
    }

    /** Number of requests that wait for a connection because the limit is reached. */
    public long waitingForConnection() {
        long over = sum(BackendCounter.CONNECTION_WAITS_OVER); // read first, so that the difference is never negative
        return sum(BackendCounter.CONNECTION_WAITS) - over;
    }

    /**
     * Adds the response times of all event loops to {@code counts}, which has {@link LatencyHistogram#BUCKETS} cells,
     * and returns their sum in nanoseconds. Allocates nothing.
     */
    public long addLatencyTo(long[] counts) {
        long sum = 0;
        for (LatencyHistogram shard : latency) {
            sum += shard.addTo(counts);
        }
        BackendStats other = secondFrontend;
        return other == null ? sum : sum + other.addLatencyTo(counts);
    }

    /** The distribution of response times over all event loops. */
    public LatencySummary latency() {
        BackendStats other = secondFrontend;
        return LatencySummary.of(
                other == null
                        ? latency
                        : Stream.concat(latency.stream(), other.latency.stream())
                                .toList());
    }
}

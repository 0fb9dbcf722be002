package io.ballast.dns.history;

import io.ballast.core.Checks;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.QueryListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A sample of the queries since the last call of {@link #drain}: all queries if they fit, otherwise a uniform random
 * sample (Vitter's algorithm R).
 *
 * <p>Thread safety: any thread may call it; calls are synchronized. Its size is bounded even if {@link #drain} is never
 * called.
 */
public final class QuerySample implements QueryListener {

    private final int maxQueries;
    private final SplittableRandom random;
    private List<Seen> sample = new ArrayList<>();
    private long seenCount;

    private record Seen(long arrivalIndex, AnsweredQuery query) {}

    /**
     * A sample that {@link #drain} returned.
     *
     * @param seenCount total number of queries
     * @param queries sampled queries, in order of arrival
     */
    public record Taken(long seenCount, List<AnsweredQuery> queries) {}

    /** @param max maximum number of queries in a sample */
    public QuerySample(int max, SplittableRandom random) {
        this.maxQueries = Checks.atLeast(max, 1, "max");
        this.random = random;
    }

    @Override
    public synchronized void onAnswer(AnsweredQuery query) {
        seenCount++;
        if (sample.size() < maxQueries) {
            sample.add(new Seen(seenCount, query));
            return;
        }
        long place = random.nextLong(seenCount);
        if (place < maxQueries) {
            sample.set((int) place, new Seen(seenCount, query));
        }
    }

    @Override
    public synchronized void clear() {
        sample = new ArrayList<>();
        seenCount = 0;
    }

    /** Returns the current sample, and starts the next one. */
    public synchronized Taken drain() {
        List<AnsweredQuery> queries = sample.stream()
                .sorted(Comparator.comparingLong(Seen::arrivalIndex))
                .map(Seen::query)
                .toList();
        Taken taken = new Taken(seenCount, queries);
        clear();
        return taken;
    }
}

package io.ballast.dns.history;

import io.ballast.core.Checks;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.QueryListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A sample of the queries since the last call of {@link #take}: all of them if they fit, else a uniform random sample
 * (Vitter's algorithm R).
 *
 * <p>Thread safety: any thread may call it; guarded by this. Its size is bounded even if it is never taken.
 */
public final class QuerySample implements QueryListener {

    private final int max;
    private final SplittableRandom random;
    private List<Seen> sample = new ArrayList<>();
    private long seen;

    private record Seen(long place, AnsweredQuery query) {}

    /**
     * A sample that was taken.
     *
     * @param seen total number of queries
     * @param queries sampled queries, in order of arrival
     */
    public record Taken(long seen, List<AnsweredQuery> queries) {}

    /** @param max maximum number of queries in a sample */
    public QuerySample(int max, SplittableRandom random) {
        this.max = Checks.atLeast(max, 1, "max");
        this.random = random;
    }

    @Override
    public synchronized void onAnswer(AnsweredQuery query) {
        seen++;
        if (sample.size() < max) {
            sample.add(new Seen(seen, query));
            return;
        }
        long place = random.nextLong(seen);
        if (place < max) {
            sample.set((int) place, new Seen(seen, query));
        }
    }

    @Override
    public synchronized void clear() {
        sample = new ArrayList<>();
        seen = 0;
    }

    /** Returns the current sample, and starts the next. */
    public synchronized Taken take() {
        List<AnsweredQuery> queries = sample.stream()
                .sorted(Comparator.comparingLong(Seen::place))
                .map(Seen::query)
                .toList();
        Taken taken = new Taken(seen, queries);
        clear();
        return taken;
    }
}

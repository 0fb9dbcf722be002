package io.ballast.dns.history;

import io.ballast.core.Checks;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.QueryListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A few of the queries since somebody looked last: all of them while they are few, and else a random sample in which each has the
 * same chance (Vitter's algorithm R).
 *
 * <p>Thread safety: any thread may call it; guarded by this. What nobody looks at stays as small as a sample.
 */
public final class QuerySample implements QueryListener {

    private final int most;
    private final SplittableRandom random;
    private List<Seen> sample = new ArrayList<>();
    private long seen;

    private record Seen(long place, AnsweredQuery query) {}

    /**
     * What was taken.
     *
     * @param seen how many queries there were
     * @param queries of these, in the order in which they came
     */
    public record Taken(long seen, List<AnsweredQuery> queries) {}

    /** @param most queries in a sample */
    public QuerySample(int most, SplittableRandom random) {
        this.most = Checks.atLeast(most, 1, "most");
        this.random = random;
    }

    @Override
    public synchronized void answered(AnsweredQuery query) {
        seen++;
        if (sample.size() < most) {
            sample.add(new Seen(seen, query));
            return;
        }
        long place = random.nextLong(seen);
        if (place < most) {
            sample.set((int) place, new Seen(seen, query));
        }
    }

    @Override
    public synchronized void forget() {
        sample = new ArrayList<>();
        seen = 0;
    }

    /** Takes what there is; the next sample begins. */
    public synchronized Taken take() {
        List<AnsweredQuery> queries = sample.stream()
                .sorted(Comparator.comparingLong(Seen::place))
                .map(Seen::query)
                .toList();
        Taken taken = new Taken(seen, queries);
        forget();
        return taken;
    }
}

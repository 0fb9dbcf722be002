package io.ballast.core.backend;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loads of a fixed list of backends, read by index: what strategies look at for every pick, without a pointer to
 * follow into each backend ({@link LoadCells}).
 *
 * <p>Thread safety: any thread may read. Allocates nothing.
 */
public final class Loads {

    /** The array that holds all backends' cells, or null when there are several: then see {@link #cells}. */
    private final long @Nullable [] shared;

    private final long[][] cells;
    private final int[] first;
    private final int[] limits;

    public Loads(List<Backend> backends) {
        this.cells =
                backends.stream().map(backend -> backend.inFlight().cells()).toArray(long[][]::new);
        this.shared = Arrays.stream(cells).allMatch(each -> each == cells[0]) ? cells[0] : null;
        this.first =
                backends.stream().mapToInt(backend -> backend.inFlight().cell()).toArray();
        this.limits = backends.stream()
                .mapToInt(backend -> backend.inFlight().limit())
                .toArray();
    }

    /**
     * How many exchanges run on a backend now, to compare backends by. A plain read, so that a scan of many compiles
     * into a tight loop; a caller that asks again and again inside one loop of its own may see the same answer for ever.
     */
    public int inFlight(int index) {
        return (int) cells(index)[first[index]];
    }

    /** Whether a backend's limit is reached. */
    public boolean isFull(int index) {
        return (int) (long) LoadCells.CELLS.getOpaque(cells(index), first[index]) >= limits[index];
    }

    /** A backend's average response time ({@link ResponseTime#micros}), to compare backends by: a plain read, too. */
    public float responseMicros(int index, long nowNanos) {
        return ResponseTime.micros(cells(index)[first[index] + LoadCells.RESPONSE_TIME], nowNanos);
    }

    /**
     * The backend with the fewest exchanges in flight per weight; of several, the first one from {@code start} on,
     * around the end. Cost: about 1 ns per backend.
     *
     * @param weights one for each backend, at least 1
     */
    public int least(int[] weights, int start) {
        int best = least(weights, start, start + 1, cells.length);
        return least(weights, best, 0, start);
    }

    /** The best of {@code best} and what lies in a range, where ties are lost. */
    private int least(int[] weights, int best, int from, int to) {
        if (shared != null) {
            return least(shared, first, weights, best, from, to);
        }
        int least = best;
        for (int i = from; i < to; i++) {
            if ((long) inFlight(i) * weights[least] < (long) inFlight(least) * weights[i]) {
                least = i;
            }
        }
        return least;
    }

    /** The same over one array, with everything in local variables: the compiler does not trust final fields to stay. */
    private static int least(long[] cells, int[] first, int[] weights, int best, int from, int to) {
        int least = best;
        long leastInFlight = cells[first[best]];
        long leastWeight = weights[best];
        for (int i = from; i < to; i++) {
            long inFlight = cells[first[i]];
            if (inFlight * leastWeight < leastInFlight * weights[i]) {
                least = i;
                leastInFlight = inFlight;
                leastWeight = weights[i];
            }
        }
        return least;
    }

    private long[] cells(int index) {
        return shared != null ? shared : cells[index];
    }
}

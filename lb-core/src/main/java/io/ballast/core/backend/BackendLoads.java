package io.ballast.core.backend;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loads of a fixed list of backends, read by index. Strategies compare the loads for every pick, so the
 * loads are read from arrays, without following a pointer to each backend ({@link LoadCells}).
 *
 * <p>Thread safety: any thread may read. Allocates nothing.
 */
public final class BackendLoads {

    /**
     * The array that holds the cells of all backends. It is null if the cells are in several arrays; these are in
     * {@link #cells}.
     */
    private final long @Nullable [] shared;

    private final long[][] cells;
    private final int[] first;
    private final int[] limits;

    public BackendLoads(List<Backend> backends) {
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
     * Returns the number of exchanges in flight on a backend, for comparisons. This is a plain read, so that a
     * scan of many backends compiles into a tight loop. A caller that reads repeatedly inside one loop may see
     * the same value forever.
     */
    public int inFlight(int index) {
        return LoadCell.count(cells(index)[first[index]]);
    }

    /** Returns the load of a backend, which includes recently failed exchanges: {@link InFlight#load}. */
    public int load(int index, long nowNanos) {
        return LoadCell.load(cells(index)[first[index]], nowNanos);
    }

    /**
     * Returns the number of exchanges in flight on all backends, read like {@link #inFlight}. Cost: linear in the
     * number of backends.
     */
    public long sum() {
        long sum = 0;
        for (int i = 0; i < first.length; i++) {
            sum += inFlight(i);
        }
        return sum;
    }

    /** Returns whether a backend has reached its limit. */
    public boolean isFull(int index) {
        return LoadCell.count((long) LoadCells.CELLS.getOpaque(cells(index), first[index])) >= limits[index];
    }

    /**
     * Returns a backend's average response time ({@link ResponseTime#micros}), for comparisons. Like {@link
     * #inFlight}, this is a plain read.
     */
    public float responseMicros(int index, long nowNanos) {
        return ResponseTime.micros(cells(index)[first[index] + LoadCells.RESPONSE_TIME], nowNanos);
    }

    /**
     * Returns the backend with the lowest {@linkplain #load load} per weight. If several backends are equal, it
     * returns the first of them from {@code start} on, wrapping around. Cost: about 1 ns per backend.
     *
     * @param weights the weight of each backend, at least 1
     */
    public int min(int[] weights, int start, long nowNanos) {
        int best = min(weights, start, start + 1, cells.length, nowNanos);
        return min(weights, best, 0, start, nowNanos);
    }

    /** Returns the best member among {@code best} and a range of members; {@code best} wins ties. */
    private int min(int[] weights, int best, int from, int to, long nowNanos) {
        if (shared != null) {
            return min(shared, first, weights, best, from, to, nowNanos);
        }
        int min = best;
        for (int i = from; i < to; i++) {
            if ((long) load(i, nowNanos) * weights[min] < (long) load(min, nowNanos) * weights[i]) {
                min = i;
            }
        }
        return min;
    }

    /**
     * Returns the best member among {@code best} and a range of members in one array. All fields are copied to
     * local variables, because the compiler does not treat final fields as constant.
     */
    private static int min(long[] cells, int[] first, int[] weights, int best, int from, int to, long nowNanos) {
        int min = best;
        long minLoad = LoadCell.load(cells[first[best]], nowNanos);
        long minWeight = weights[best];
        for (int i = from; i < to; i++) {
            long load = LoadCell.load(cells[first[i]], nowNanos);
            if (load * minWeight < minLoad * weights[i]) {
                min = i;
                minLoad = load;
                minWeight = weights[i];
            }
        }
        return min;
    }

    private long[] cells(int index) {
        return shared != null ? shared : cells[index];
    }
}

package io.ballast.dashboard.live;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Totals of sources that a reload removed. Overall totals must not decrease, so removed sources still count.
 * Each source is read until it has nothing in flight; after that, only its final total is kept. Confined to
 * one thread.
 */
final class RemovedSources<S> {

    /**
     * The number of idle readings before a source counts as finished. One reading is not enough, because a
     * request that picked the source just before the removal may start a moment later.
     */
    private static final int IDLE_READINGS = 3;

    private final Function<S, Totals> read;
    private final Predicate<S> isOpen;
    private final Consumer<S> onEnd;
    private final List<RemovedSource<S>> active = new ArrayList<>();
    private final List<Totals> finishedTotals = new ArrayList<>(1);

    /**
     * @param isOpen whether the totals of a source can still grow when it has no request in flight
     * @param onEnd called with a source that will not be read again
     */
    RemovedSources(Function<S, Totals> read, Predicate<S> isOpen, Consumer<S> onEnd) {
        this.read = read;
        this.isOpen = isOpen;
        this.onEnd = onEnd;
    }

    /** Creates an instance for sources whose totals cannot grow when nothing is in flight. */
    RemovedSources(Function<S, Totals> read) {
        this(read, source -> false, source -> {});
    }

    void add(S source) {
        active.add(new RemovedSource<>(source));
    }

    /** Adds all sources and totals of {@code other}. */
    void addAll(RemovedSources<S> other) {
        active.addAll(other.active);
        addFinishedTotals(other.finishedTotals);
    }

    /** Reads every removed source, and replaces finished sources by their final total. Call once a second. */
    void sample() {
        if (active.isEmpty()) {
            return;
        }
        List<Totals> ended = new ArrayList<>();
        for (Iterator<RemovedSource<S>> each = active.iterator(); each.hasNext(); ) {
            RemovedSource<S> next = each.next();
            Totals now = read.apply(next.source);
            boolean quiet = now.inFlight() == 0 && !isOpen.test(next.source);
            next.idleReadings = quiet ? next.idleReadings + 1 : 0;
            if (next.idleReadings == IDLE_READINGS) {
                ended.add(now);
                onEnd.accept(next.source);
                each.remove();
            }
        }
        addFinishedTotals(ended);
    }

    private void addFinishedTotals(List<Totals> ended) {
        if (ended.isEmpty()) {
            return;
        }
        TotalsSum sum = new TotalsSum();
        finishedTotals.forEach(sum::add);
        ended.forEach(sum::add);
        finishedTotals.clear();
        finishedTotals.add(sum.total());
    }

    /** Returns the current sum of the totals of all removed sources. */
    Totals read() {
        if (active.isEmpty()) {
            return finishedTotals.isEmpty() ? Totals.NONE : finishedTotals.get(0);
        }
        TotalsSum sum = new TotalsSum();
        finishedTotals.forEach(sum::add);
        active.forEach(each -> sum.add(read.apply(each.source)));
        return sum.total();
    }

    /** Returns the removed sources that have not finished yet. */
    List<S> active() {
        return active.stream().map(each -> each.source).toList();
    }

    private static final class RemovedSource<S> {

        private final S source;
        private int idleReadings;

        RemovedSource(S source) {
            this.source = source;
        }
    }
}

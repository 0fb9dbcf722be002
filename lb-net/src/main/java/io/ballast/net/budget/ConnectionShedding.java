package io.ballast.net.budget;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Closes connections of one event loop when the data in transit exceeds the {@link TransitBudget}, although
 * reads are already throttled. It first closes the connections that hold the most data and make the least
 * progress. Progress is measured between two passes, so a connection is never closed on the first pass.
 *
 * <p>Event-loop confined. Cost: constant when a connection opens or closes. While the budget is exhausted,
 * one pass over all connections of the loop, and a sort.
 */
public final class ConnectionShedding {

    /** The fraction of the budget to which the usage is reduced, so that some room is left afterwards. */
    private static final double TARGET = 15.0 / 16;
    /** Connections that hold fewer bytes are not closed, because that would free too little. */
    private static final int MIN_BUFFERED_BYTES = 1024;

    private final TransitShare share;
    private final List<Holder> holders = new ArrayList<>();
    private boolean hasBaseline;

    public ConnectionShedding(TransitShare share) {
        this.share = share;
    }

    /** A connection that holds bytes in transit and can be closed. */
    public abstract static class Holder {

        private int index;
        private long previousMovedBytes;
        private double score;

        /** The number of bytes that the connection holds now. */
        protected abstract long bufferedBytes();

        /** The number of bytes that the connection has forwarded since it opened. Never decreases. */
        protected abstract long movedBytes();

        /** Closes the connection, with an error message to the peer if that is still possible. */
        protected abstract void shed();
    }

    public void add(Holder holder) {
        holder.index = holders.size();
        holders.add(holder);
    }

    public void remove(Holder holder) {
        Holder last = holders.remove(holders.size() - 1);
        if (last != holder) {
            last.index = holder.index;
            holders.set(holder.index, last);
        }
    }

    /** Called at every tick of the event loop. */
    public void tick() {
        share.measure();
        if (!share.isExhausted()) {
            hasBaseline = false;
            return;
        }
        List<Holder> candidates = findCandidates();
        if (hasBaseline) {
            candidates.sort(
                    Comparator.comparingDouble((Holder holder) -> holder.score).reversed());
            close(candidates);
        }
        hasBaseline = true;
    }

    private List<Holder> findCandidates() {
        List<Holder> candidates = new ArrayList<>();
        for (Holder holder : holders) {
            long held = holder.bufferedBytes();
            long moved = holder.movedBytes();
            holder.score = held / (1.0 + moved - holder.previousMovedBytes);
            holder.previousMovedBytes = moved;
            if (held >= MIN_BUFFERED_BYTES) {
                candidates.add(holder);
            }
        }
        return candidates;
    }

    /** Closes connections; each event loop frees its share of the excess. */
    private void close(List<Holder> candidates) {
        TransitBudget budget = share.budget();
        long tooMuch = (long) (budget.usedBytes() - budget.limitBytes() * TARGET) / share.loops();
        for (Holder holder : candidates) {
            if (tooMuch <= 0) {
                return;
            }
            long held = holder.bufferedBytes();
            budget.shed(held);
            tooMuch -= held;
            holder.shed();
        }
    }
}

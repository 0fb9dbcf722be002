package io.ballast.net.budget;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Closes connections of one event loop when more is held than the {@link TransitBudget} allows, although little is read by
 * then: those first that hold most and move least. A connection that moves on is measured by what it has moved since it was
 * looked at before, so one look is not enough to be closed.
 *
 * <p>Event-loop confined. Cost: constant for a connection that comes or goes; one pass and a sort over all connections of
 * the loop for a look, which happens only while the budget is spent.
 */
public final class Shedding {

    /** Down to this part of the budget is closed, so that there is some room afterwards. */
    private static final double TARGET = 15.0 / 16;
    /** Closing one that holds less than this would free too little. */
    private static final int LEAST_HELD_BYTES = 1024;

    private final TransitShare share;
    private final List<Holder> holders = new ArrayList<>();
    private boolean looked;

    public Shedding(TransitShare share) {
        this.share = share;
    }

    /** Something that holds octets in transit, and can be closed. */
    public abstract static class Holder {

        private int index;
        private long movedBefore;
        private double score;

        /** Octets that it holds now. */
        protected abstract long heldBytes();

        /** Octets that it has passed on since it began. Never falls. */
        protected abstract long movedBytes();

        /** Closes it, and has it say why where that is still possible. */
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
        if (!share.isSpent()) {
            looked = false;
            return;
        }
        List<Holder> candidates = look();
        if (looked) {
            candidates.sort(
                    Comparator.comparingDouble((Holder holder) -> holder.score).reversed());
            close(candidates);
        }
        looked = true;
    }

    private List<Holder> look() {
        List<Holder> candidates = new ArrayList<>();
        for (Holder holder : holders) {
            long held = holder.heldBytes();
            long moved = holder.movedBytes();
            holder.score = held / (1.0 + moved - holder.movedBefore);
            holder.movedBefore = moved;
            if (held >= LEAST_HELD_BYTES) {
                candidates.add(holder);
            }
        }
        return candidates;
    }

    /** Each event loop closes its part of what is too much. */
    private void close(List<Holder> candidates) {
        TransitBudget budget = share.budget();
        long tooMuch = (long) (budget.usedBytes() - budget.limitBytes() * TARGET) / share.loops();
        for (Holder holder : candidates) {
            if (tooMuch <= 0) {
                return;
            }
            long held = holder.heldBytes();
            budget.shed(held);
            tooMuch -= held;
            holder.shed();
        }
    }
}

package io.ballast.net.budget;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Closes connections of one event loop when the data in transit exceeds the {@link TransitBudget}, although
 * reads are already throttled. It first closes the connections that hold the most data and make the least
 * progress. Progress is measured between two passes, so a connection is never closed on the first pass.
 *
 * <p>Event-loop confined. Cost: constant when a connection opens or closes; one pass over all connections of the loop
 * and a sort while the budget is exhausted.
 */
public final class ConnectionShedding {

    /** The fraction of the budget to which the usage is reduced, so that some room is left afterwards. */
    private static final double TARGET = 15.0 / 16;
    /** Connections that hold fewer bytes are not closed, because that would free too little. */
    private static final int MIN_BUFFERED_BYTES = 1024;

    private final TransitShare share;
    private final List<Sheddable> connections = new ArrayList<>();
    private boolean hasBaseline;

    public ConnectionShedding(TransitShare share) {
        this.share = share;
    }

    /** A connection that holds bytes in transit and can be closed. */
    public abstract static class Sheddable {

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

    public void add(Sheddable connection) {
        connection.index = connections.size();
        connections.add(connection);
    }

    public void remove(Sheddable connection) {
        Sheddable last = connections.remove(connections.size() - 1);
        if (last != connection) {
            last.index = connection.index;
            connections.set(connection.index, last);
        }
    }

    /** Called at every tick of the event loop. */
    public void tick() {
        share.measure();
        if (!share.isExhausted()) {
            hasBaseline = false;
            return;
        }
        List<Sheddable> candidates = findCandidates();
        if (hasBaseline) {
            candidates.sort(Comparator.comparingDouble((Sheddable connection) -> connection.score)
                    .reversed());
            close(candidates);
        }
        hasBaseline = true;
    }

    private List<Sheddable> findCandidates() {
        List<Sheddable> candidates = new ArrayList<>();
        for (Sheddable connection : connections) {
            long held = connection.bufferedBytes();
            long moved = connection.movedBytes();
            connection.score = held / (1.0 + moved - connection.previousMovedBytes);
            connection.previousMovedBytes = moved;
            if (held >= MIN_BUFFERED_BYTES) {
                candidates.add(connection);
            }
        }
        return candidates;
    }

    /** Closes connections; each event loop frees its share of the excess. */
    private void close(List<Sheddable> candidates) {
        TransitBudget budget = share.budget();
        long tooMuch = (long) (budget.usedBytes() - budget.limitBytes() * TARGET) / share.loops();
        for (Sheddable connection : candidates) {
            if (tooMuch <= 0) {
                return;
            }
            long held = connection.bufferedBytes();
            budget.shed(held);
            tooMuch -= held;
            connection.shed();
        }
    }
}

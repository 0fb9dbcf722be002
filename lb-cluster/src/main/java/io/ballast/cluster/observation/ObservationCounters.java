package io.ballast.cluster.observation;

import java.util.concurrent.atomic.LongAdder;

/** Counters of an {@link ObservationBoard} since its start. Thread-safe. */
public final class ObservationCounters {

    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder refused = new LongAdder();

    void countSent(boolean isSent) {
        (isSent ? sent : unsent).increment();
    }

    void countReceived() {
        received.increment();
    }

    void countDropped() {
        dropped.increment();
    }

    void countMalformed() {
        malformed.increment();
    }

    void countRefused() {
        refused.increment();
    }

    /** Frames that were sent; a frame for several nodes counts once for each of them. */
    public long sent() {
        return sent.sum();
    }

    /** Frames that were received. */
    public long received() {
        return received.sum();
    }

    /**
     * Frames that were not sent, not processed or not understood: the connection was lost or too slow, too many bytes
     * waited to be processed, or the frame was malformed. Their rows arrive later, when they are repeated.
     */
    public long lost() {
        return unsent.sum() + dropped.sum() + malformed.sum();
    }

    /** Rows that were not stored, because a limit of {@link ObservationBoard} was reached. */
    public long refused() {
        return refused.sum();
    }
}

package io.ballast.replication.limit;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the messages about limits since the start. Thread-safe. */
public final class LimitCounters {

    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder receivedBytes = new LongAdder();
    private final LongAdder lost = new LongAdder();

    void countSent(int bytes, boolean isSent) {
        if (isSent) {
            sentBytes.add(bytes);
        } else {
            lost.increment();
        }
    }

    void countReceived(int bytes) {
        receivedBytes.add(bytes);
    }

    void countDropped() {
        lost.increment();
    }

    public long sentBytes() {
        return sentBytes.sum();
    }

    public long receivedBytes() {
        return receivedBytes.sum();
    }

    /** Messages that were not sent, not processed or not understood. */
    public long lost() {
        return lost.sum();
    }
}

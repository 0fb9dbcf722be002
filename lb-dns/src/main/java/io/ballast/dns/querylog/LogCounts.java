package io.ballast.dns.querylog;

import java.util.concurrent.atomic.LongAdder;

/**
 * The number of entries that an output has written and dropped.
 *
 * <p>Thread safety: any thread may count and read.
 */
final class LogCounts {

    private final LongAdder writtenCount = new LongAdder();
    private final LongAdder droppedCount = new LongAdder();

    void addWritten(long entries) {
        writtenCount.add(entries);
    }

    void addDropped(long entries) {
        droppedCount.add(entries);
    }

    long writtenCount() {
        return writtenCount.sum();
    }

    long droppedCount() {
        return droppedCount.sum();
    }
}

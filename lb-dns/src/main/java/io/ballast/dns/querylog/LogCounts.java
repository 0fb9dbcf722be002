package io.ballast.dns.querylog;

import java.util.concurrent.atomic.LongAdder;

/**
 * The number of entries that an output has written and dropped.
 *
 * <p>Thread safety: any thread may count and read.
 */
final class LogCounts {

    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    void addWritten(long entries) {
        written.add(entries);
    }

    void addDropped(long entries) {
        dropped.add(entries);
    }

    long written() {
        return written.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}

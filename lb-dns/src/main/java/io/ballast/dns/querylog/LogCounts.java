package io.ballast.dns.querylog;

import java.util.concurrent.atomic.LongAdder;

/**
 * What one of those who take queries has got, and what not.
 *
 * <p>Thread safety: any thread may count and read.
 */
final class LogCounts {

    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    void write(long entries) {
        written.add(entries);
    }

    void drop(long entries) {
        dropped.add(entries);
    }

    long written() {
        return written.sum();
    }

    long dropped() {
        return dropped.sum();
    }
}

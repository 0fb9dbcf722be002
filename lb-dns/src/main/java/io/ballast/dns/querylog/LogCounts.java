package io.ballast.dns.querylog;

/**
 * What one of those who take queries has got, and what not.
 *
 * <p>Thread safety: the log's thread counts, any reads.
 */
final class LogCounts {

    private volatile long written;
    private volatile long dropped;

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread alone writes it
    void write(long entries) {
        written += entries;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // likewise
    void drop(long entries) {
        dropped += entries;
    }

    long written() {
        return written;
    }

    long dropped() {
        return dropped;
    }
}

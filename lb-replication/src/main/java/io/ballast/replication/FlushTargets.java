package io.ballast.replication;

/** The caches of this process. Thread-safe. */
@FunctionalInterface
public interface FlushTargets {

    /**
     * Removes entries from caches. May block.
     *
     * @return the number of removed entries
     * @throws java.util.NoSuchElementException if there is no such cache
     * @throws IllegalArgumentException for an invalid parameter
     */
    int flush(CacheFlush flush);
}

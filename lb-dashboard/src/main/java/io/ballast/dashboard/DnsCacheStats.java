package io.ballast.dashboard;

/**
 * What is kept of resolvers' answers; all 0 if nothing is to be kept.
 *
 * @param entries answers, those whose time is over among them
 * @param bytes of memory that they take, as estimated
 * @param maxBytes that they may take
 * @param insertions answers that were put in since the start
 * @param evictions of these, those that had to make room
 */
public record DnsCacheStats(long entries, long bytes, long maxBytes, long insertions, long evictions) {

    /** Nothing is kept. */
    public static final DnsCacheStats NONE = new DnsCacheStats(0, 0, 0, 0, 0);
}

package io.ballast.dns.forward.cache;

/**
 * The state of the cache.
 *
 * @param entries that are kept, stale ones included; answers to one question for several networks are one
 * @param bytes of heap that they take, as estimated
 * @param maxBytes that they may take
 * @param insertions since the start, replacements included
 * @param evictions since the start: answers that went with entries that made room for others
 */
public record CacheStatistics(long entries, long bytes, long maxBytes, long insertions, long evictions) {}

package io.ballast.dns.forward.cache;

/**
 * The state of the cache.
 *
 * @param entries the number of entries, including stale ones; answers to one question for several networks
 *     count once
 * @param bytes the estimated heap size of the entries
 * @param maxBytes the limit of the heap size
 * @param insertions the number of insertions since the start, including replacements
 * @param evictions the number of answers since the start that were removed to make room for other entries
 */
public record CacheStatistics(long entries, long bytes, long maxBytes, long insertions, long evictions) {}

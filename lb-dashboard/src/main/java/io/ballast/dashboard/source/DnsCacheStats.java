package io.ballast.dashboard.source;

/**
 * Statistics of the forwarder's cache; all 0 if the cache is off.
 *
 * @param entries number of cached answers, including expired ones
 * @param bytes estimated memory of the entries
 * @param maxBytes maximum memory
 * @param insertions answers inserted since the start
 * @param evictions answers evicted since the start to make room
 */
public record DnsCacheStats(long entries, long bytes, long maxBytes, long insertions, long evictions) {}

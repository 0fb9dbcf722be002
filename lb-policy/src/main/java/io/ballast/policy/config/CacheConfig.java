package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * A shared cache of responses in memory (RFC 9111).
 *
 * @param memoryBytes the maximum memory of all stored responses, on the Java heap
 * @param maxObjectBytes the maximum length of a stored body; at most a quarter of the memory
 * @param defaultTtl the freshness lifetime of responses that specify none; if zero, they are not stored
 * @param staleWhileRevalidate how long a stale response is used during its revalidation, unless the response specifies
 *     it
 * @param staleIfError how long a stale response is used while the backend fails, unless the response specifies it
 * @param maxWait how long a request waits for another request for the same URL
 * @param maxWaiting the maximum number of requests that wait at the same time
 * @param obeysClients whether the directives of requests take effect, such as {@code no-cache}
 * @param statusHeader whether responses get a {@code Cache-Status} header (RFC 9211)
 */
public record CacheConfig(
        long memoryBytes,
        long maxObjectBytes,
        Duration defaultTtl,
        Duration staleWhileRevalidate,
        Duration staleIfError,
        Duration maxWait,
        int maxWaiting,
        boolean obeysClients,
        boolean statusHeader)
        implements PolicyRule {

    public static final long MIN_MEMORY_BYTES = 1024 * 1024;
    public static final long DEFAULT_MEMORY_BYTES = 64 * MIN_MEMORY_BYTES;
    public static final long MAX_MEMORY_BYTES = 1024 * 1024 * MIN_MEMORY_BYTES;
    public static final long DEFAULT_MAX_OBJECT_BYTES = 8 * MIN_MEMORY_BYTES;
    public static final Duration MAX_TIME = Duration.ofDays(365);
    public static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(5);
    public static final Duration SHORTEST_MAX_WAIT = Duration.ofMillis(100);
    public static final Duration LONGEST_MAX_WAIT = Duration.ofMinutes(1);
    public static final int DEFAULT_MAX_WAITING = 10_000;
    public static final int MAX_MAX_WAITING = 1_000_000;

    /** A stored body may take at most this fraction of the memory. */
    public static final int MAX_OBJECT_SHARE = 4;

    public CacheConfig {
        Checks.that(
                memoryBytes >= MIN_MEMORY_BYTES && memoryBytes <= MAX_MEMORY_BYTES,
                "memory",
                memoryBytes,
                "1 MiB to 1 TiB");
        Checks.that(
                maxObjectBytes >= 0 && maxObjectBytes <= memoryBytes / MAX_OBJECT_SHARE,
                "max_object",
                maxObjectBytes,
                "at most a quarter of memory");
        checkTime(defaultTtl, "default_ttl");
        checkTime(staleWhileRevalidate, "stale_while_revalidate");
        checkTime(staleIfError, "stale_if_error");
        Checks.that(
                maxWait.compareTo(SHORTEST_MAX_WAIT) >= 0 && maxWait.compareTo(LONGEST_MAX_WAIT) <= 0,
                "max_wait",
                maxWait,
                "100ms to 1m");
        Checks.between(maxWaiting, 0, MAX_MAX_WAITING, "max_waiting");
    }

    private static void checkTime(Duration time, String name) {
        Checks.that(!time.isNegative() && time.compareTo(MAX_TIME) <= 0, name, time, "0s to 365d");
    }

    /** The maximum length of a stored body if none is configured. */
    public static long defaultMaxObject(long memoryBytes) {
        return Math.min(DEFAULT_MAX_OBJECT_BYTES, memoryBytes / MAX_OBJECT_SHARE);
    }

    /** Creates a cache with defaults. */
    public static CacheConfig ofMemory(long memoryBytes) {
        return new CacheConfig(
                memoryBytes,
                defaultMaxObject(memoryBytes),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                DEFAULT_MAX_WAIT,
                DEFAULT_MAX_WAITING,
                /* obeysClients= */ true,
                /* statusHeader= */ false);
    }

    @Override
    public String kind() {
        return "cache";
    }
}

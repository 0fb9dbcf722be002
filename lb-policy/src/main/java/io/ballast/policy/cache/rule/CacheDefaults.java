package io.ballast.policy.cache.rule;

import io.ballast.core.Checks;

/**
 * Times for responses that do not contain their own.
 *
 * @param ttlSeconds the freshness lifetime of responses without any; 0: they are not stored
 * @param staleWhileRevalidateSeconds see RFC 5861 section 3; 0 for none
 * @param staleIfErrorSeconds see RFC 5861 section 4; 0 for none
 */
public record CacheDefaults(int ttlSeconds, int staleWhileRevalidateSeconds, int staleIfErrorSeconds) {

    /** Only the times that responses contain. */
    public static final CacheDefaults NONE = new CacheDefaults(0, 0, 0);

    public CacheDefaults {
        Checks.atLeast(ttlSeconds, 0, "ttlSeconds");
        Checks.atLeast(staleWhileRevalidateSeconds, 0, "staleWhileRevalidateSeconds");
        Checks.atLeast(staleIfErrorSeconds, 0, "staleIfErrorSeconds");
    }
}

package io.ballast.policy.cache.rule;

import io.ballast.core.Checks;

/**
 * The lifetimes of responses that specify none themselves.
 *
 * @param ttlSeconds the freshness lifetime; with 0, such responses are not stored
 * @param staleWhileRevalidateSeconds see RFC 5861 section 3; 0 for none
 * @param staleIfErrorSeconds see RFC 5861 section 4; 0 for none
 */
public record CacheDefaults(int ttlSeconds, int staleWhileRevalidateSeconds, int staleIfErrorSeconds) {

    /** No defaults: only the lifetimes in the responses apply. */
    public static final CacheDefaults NONE = new CacheDefaults(0, 0, 0);

    public CacheDefaults {
        Checks.atLeast(ttlSeconds, 0, "ttlSeconds");
        Checks.atLeast(staleWhileRevalidateSeconds, 0, "staleWhileRevalidateSeconds");
        Checks.atLeast(staleIfErrorSeconds, 0, "staleIfErrorSeconds");
    }
}

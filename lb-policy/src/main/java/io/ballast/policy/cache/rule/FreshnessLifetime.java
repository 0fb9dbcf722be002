package io.ballast.policy.cache.rule;

import io.ballast.http.head.HttpTime;
import java.util.Set;

/**
 * The freshness lifetime of a response in a shared cache (RFC 9111 section 4.2.1).
 *
 * @param seconds the lifetime
 * @param isExplicit whether the response itself determines it
 */
public record FreshnessLifetime(int seconds, boolean isExplicit) {

    /** The statuses of responses that may be stored without an explicit lifetime (RFC 9110 section 15.1). */
    private static final Set<Integer> HEURISTIC_STATUSES =
            Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);
    /**
     * An implicit lifetime is the time since the last modification, divided by this number (RFC 9111 section 4.2.2).
     */
    private static final int HEURISTIC_DIVISOR = 10;

    private static final long MAX_HEURISTIC_SECONDS = 86_400;
    private static final long MILLIS = 1000;

    /**
     * Returns the lifetime of a response.
     *
     * @param allowsImplicit whether a lifetime may be assumed if the response has none
     */
    public static FreshnessLifetime of(ResponseMetadata response, CacheDefaults defaults, boolean allowsImplicit) {
        CacheDirectives directives = response.directives();
        if (directives.has(CacheDirective.S_MAXAGE)) {
            return new FreshnessLifetime(directives.seconds(CacheDirective.S_MAXAGE), /* isExplicit= */ true);
        }
        if (directives.has(CacheDirective.MAX_AGE)) {
            return new FreshnessLifetime(directives.seconds(CacheDirective.MAX_AGE), /* isExplicit= */ true);
        }
        if (response.lifetimeOfExpires() != CacheDirectives.ABSENT) {
            return new FreshnessLifetime(response.lifetimeOfExpires(), /* isExplicit= */ true);
        }
        return new FreshnessLifetime(allowsImplicit ? implicit(response, defaults) : 0, /* isExplicit= */ false);
    }

    private static int implicit(ResponseMetadata response, CacheDefaults defaults) {
        if (!HEURISTIC_STATUSES.contains(response.status())
                && !response.directives().has(CacheDirective.PUBLIC)) {
            return 0;
        }
        if (response.lastModifiedMillis() == HttpTime.INVALID) {
            return defaults.ttlSeconds();
        }
        long unchanged = (response.dateMillis() - response.lastModifiedMillis()) / MILLIS;
        return (int) Math.max(0, Math.min(MAX_HEURISTIC_SECONDS, unchanged / HEURISTIC_DIVISOR));
    }
}

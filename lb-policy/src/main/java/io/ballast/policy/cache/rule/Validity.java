package io.ballast.policy.cache.rule;

/**
 * How long a stored response may be used. Immutable.
 *
 * @param initialAgeSeconds the age of the response at its arrival
 * @param lifetimeSeconds the freshness lifetime of the response (RFC 9111 section 4.2.1)
 * @param staleWhileRevalidateSeconds how long the response may be used after its lifetime, during a revalidation
 * @param staleIfErrorSeconds how long the response may be used after its lifetime, if the backend fails
 * @param alwaysValidated whether each use needs a revalidation ({@code no-cache})
 */
public record Validity(
        int initialAgeSeconds,
        int lifetimeSeconds,
        int staleWhileRevalidateSeconds,
        int staleIfErrorSeconds,
        boolean alwaysValidated) {

    private static final long SECOND = 1_000_000_000;

    /** How a stored response may be used for a request. */
    public enum Use {
        /** The response may be used without validation. */
        DIRECT,
        /** The response may be used at once, while it is revalidated. */
        WHILE_REVALIDATING,
        /** The response may be used only after a successful validation. */
        AFTER_VALIDATION
    }

    /**
     * Returns the validity of a response.
     *
     * @param lifetime its freshness lifetime
     */
    public static Validity of(ResponseMetadata response, FreshnessLifetime lifetime, CacheDefaults defaults) {
        CacheDirectives directives = response.directives();
        boolean alwaysValidated = directives.has(CacheDirective.NO_CACHE);
        boolean neverStale = alwaysValidated
                || directives.has(CacheDirective.MUST_REVALIDATE)
                || directives.has(CacheDirective.PROXY_REVALIDATE);
        // s-maxage forbids stale use (RFC 9111 section 5.2.2.10), unless the same response allows it
        boolean useDefaults = !directives.has(CacheDirective.S_MAXAGE);
        return new Validity(
                response.ageSeconds(),
                lifetime.seconds(),
                neverStale
                        ? 0
                        : staleSeconds(
                                directives.seconds(CacheDirective.STALE_WHILE_REVALIDATE),
                                useDefaults ? defaults.staleWhileRevalidateSeconds() : 0),
                neverStale
                        ? 0
                        : staleSeconds(
                                directives.seconds(CacheDirective.STALE_IF_ERROR),
                                useDefaults ? defaults.staleIfErrorSeconds() : 0),
                alwaysValidated);
    }

    private static int staleSeconds(int own, int fallback) {
        return own == CacheDirectives.ABSENT ? fallback : own;
    }

    /**
     * The current age in seconds (RFC 9111 section 4.2.3).
     *
     * @param residentNanos the time since the arrival of the response
     */
    public long age(long residentNanos) {
        return initialAgeSeconds + residentNanos / SECOND;
    }

    /** Whether the response may be used because the backend has failed. */
    public boolean allowsErrors(long residentNanos) {
        return staleIfErrorSeconds > 0 && age(residentNanos) - lifetimeSeconds <= staleIfErrorSeconds;
    }

    /**
     * Decides how the response may be used for a request.
     *
     * @param residentNanos the time since the arrival of the response
     * @param request the directives of the request (RFC 9111 section 5.2.1)
     */
    public Use use(long residentNanos, CacheDirectives request) {
        long age = age(residentNanos);
        long staleness = age - lifetimeSeconds; // negative while the response is fresh
        if (alwaysValidated || request.has(CacheDirective.NO_CACHE) || exceedsRequest(age, staleness, request)) {
            return Use.AFTER_VALIDATION;
        }
        if (staleness < 0) {
            return Use.DIRECT;
        }
        return staleness <= staleWhileRevalidateSeconds && staleWhileRevalidateSeconds > 0
                ? Use.WHILE_REVALIDATING
                : Use.AFTER_VALIDATION;
    }

    private static boolean exceedsRequest(long age, long staleness, CacheDirectives request) {
        int maxAge = request.seconds(CacheDirective.MAX_AGE);
        int minFresh = request.seconds(CacheDirective.MIN_FRESH);
        return (maxAge != CacheDirectives.ABSENT && age > maxAge)
                || (minFresh != CacheDirectives.ABSENT && -staleness < minFresh);
    }
}

package io.ballast.policy.cache.rule;

import java.util.Set;

/** Decides whether a shared cache may store the response to a GET without credentials (RFC 9111 section 3). */
public final class Storability {

    private static final int FIRST_FINAL = 200;

    /**
     * The statuses of responses that depend on request headers, such as {@code Range}. These headers do not select a
     * stored response.
     */
    private static final Set<Integer> OF_ONE_REQUEST = Set.of(206, 304, 400, 412, 413, 416, 417, 431);

    /** The statuses whose requirements for caching this cache implements; see {@code must-understand}. */
    private static final Set<Integer> UNDERSTOOD = Set.of(
            200, 201, 202, 203, 204, 300, 301, 302, 303, 307, 308, 401, 403, 404, 405, 406, 409, 410, 411, 414, 415,
            421, 422, 426, 429, 500, 501, 502, 503, 504, 505);

    private Storability() {}

    /**
     * Whether the response may be stored, and a later request could use it. A response with {@code Set-Cookie} or
     * {@code private} is for one client.
     */
    public static boolean isStorable(ResponseMetadata response, FreshnessLifetime lifetime, Validity validity) {
        return isPermitted(response) && isCacheable(response, lifetime) && isUseful(response, validity);
    }

    private static boolean isPermitted(ResponseMetadata response) {
        CacheDirectives directives = response.directives();
        boolean mustUnderstand = directives.has(CacheDirective.MUST_UNDERSTAND);
        boolean understood = UNDERSTOOD.contains(response.status());
        return response.status() >= FIRST_FINAL
                && !OF_ONE_REQUEST.contains(response.status())
                && !directives.has(CacheDirective.PRIVATE)
                && !response.setsCookie()
                && !response.vary().matchesNothing()
                && (mustUnderstand ? understood : !directives.has(CacheDirective.NO_STORE));
    }

    private static boolean isCacheable(ResponseMetadata response, FreshnessLifetime lifetime) {
        return lifetime.isExplicit()
                || lifetime.seconds() > 0
                || response.directives().has(CacheDirective.NO_CACHE);
    }

    /** Whether a later request could use the response. */
    private static boolean isUseful(ResponseMetadata response, Validity validity) {
        boolean becomesFresh = !validity.alwaysValidated() && validity.lifetimeSeconds() > validity.initialAgeSeconds();
        return becomesFresh
                || response.hasValidator()
                || validity.staleWhileRevalidateSeconds() > 0
                || validity.staleIfErrorSeconds() > 0;
    }
}

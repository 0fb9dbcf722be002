package io.ballast.policy.cache;

import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.store.UrlKey;
import java.util.Set;

/**
 * A request whose response may be stored. Immutable.
 *
 * @param key the URL
 * @param context see {@link RequestView#context}
 * @param lines the header lines of the client
 * @param removals the {@code ResponseStore.removalCount} before the request was sent
 * @param sentMillis the time of day before the request was sent
 * @param computed see {@code PolicyRequest.computedHeaders}
 */
record FetchedRequest(
        UrlKey key, String context, HeaderLines lines, long removals, long sentMillis, Set<String> computed) {}

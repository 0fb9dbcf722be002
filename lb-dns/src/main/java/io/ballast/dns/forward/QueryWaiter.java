package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

/**
 * A client that waits for an answer. Exactly one of {@link #onAnswer}, {@link #onStale} and {@link #onFailure} is
 * called, once, on the event loop of the query.
 */
public interface QueryWaiter {

    /**
     * A number that identifies the client, for fair shares of permits; 0 if this process itself sends the query.
     */
    default long client() {
        return Upstreams.NO_CLIENT;
    }

    /**
     * Called when a resolver has answered.
     *
     * @param backend the resolver; null if the answer was already cached by an earlier query
     */
    void onAnswer(CacheEntry answer, @Nullable Backend backend);

    /** Called with a stale answer if no resolver answered in time. */
    void onStale(CacheEntry answer);

    /** Called if no resolver answered in time, and there is no stale answer. */
    void onFailure();
}

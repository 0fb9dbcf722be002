package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.upstream.Upstreams;
import org.jspecify.annotations.Nullable;

/** A client that waits for an answer. Exactly one of the methods is called, once, on the event loop of the query. */
public interface QueryWaiter {

    /** A number that identifies the client, for fair shares of permits; 0 for a question of this process itself. */
    default long client() {
        return Upstreams.NO_CLIENT;
    }

    /**
     * A resolver has answered.
     *
     * @param backend the resolver; null if the answer belongs to an earlier client with the same question
     */
    void onAnswer(CacheEntry answer, @Nullable Backend backend);

    /** No resolver answered in time; this is a stale answer. */
    void onStale(CacheEntry answer);

    /** None has in time, and nothing is known. */
    void onFailure();
}

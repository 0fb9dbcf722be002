package io.ballast.policy.cache;

import org.jspecify.annotations.Nullable;

/** The state of a request that a cache has forwarded. Event-loop confined. */
final class CacheExchange {

    private final FetchedRequest request;
    private final boolean invalidates;
    /** The fetch that this request leads; null if it does not lead a fetch. */
    private @Nullable PendingFetch fetch;

    private CacheExchange(FetchedRequest request, boolean invalidates, @Nullable PendingFetch fetch) {
        this.request = request;
        this.invalidates = invalidates;
        this.fetch = fetch;
    }

    /** Creates the state of a request whose response is stored if possible. */
    static CacheExchange recording(FetchedRequest request, @Nullable PendingFetch fetch) {
        return new CacheExchange(request, /* invalidates= */ false, fetch);
    }

    /** Creates the state of a request that may change the resource at its URL. */
    static CacheExchange invalidating(FetchedRequest request) {
        return new CacheExchange(request, /* invalidates= */ true, /* fetch= */ null);
    }

    FetchedRequest request() {
        return request;
    }

    boolean invalidates() {
        return invalidates;
    }

    /** Returns the fetch that this request leads, and clears it; null if the request does not lead a fetch. */
    @Nullable PendingFetch takeFetch() {
        PendingFetch taken = fetch;
        fetch = null;
        return taken;
    }
}

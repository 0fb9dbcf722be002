package io.ballast.policy.cache;

import io.ballast.http.policy.Continuation;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The fetches in progress, and the number of requests that wait for them. Thread safety: any thread. */
final class PendingFetches {

    private final ConcurrentHashMap<PendingFetch.Key, PendingFetch> running = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int maxWaiting;
    private final long maxAgeNanos;

    /**
     * @param maxWaiting the maximum number of waiting requests
     * @param maxAgeNanos after this time without progress, no request waits for a fetch any more
     */
    PendingFetches(int maxWaiting, long maxAgeNanos) {
        this.maxWaiting = maxWaiting;
        this.maxAgeNanos = maxAgeNanos;
    }

    /** Returns the fetch of a key that other requests may wait for; null if there is none. */
    @Nullable PendingFetch find(PendingFetch.Key key, long now) {
        PendingFetch found = running.get(key);
        if (found == null) {
            return null;
        }
        PendingFetch.Shared shared = found.shared();
        boolean isStalled =
                shared == null ? now - found.startedNanos() > maxAgeNanos : found.isStalled(shared, now, maxAgeNanos);
        return isStalled ? null : found;
    }

    /**
     * Starts a fetch with the caller as its leader.
     *
     * @return null if another request has just become the leader
     */
    @Nullable PendingFetch start(PendingFetch.Key key, long now) {
        PendingFetch started = new PendingFetch(key, now);
        PendingFetch before = running.putIfAbsent(key, started);
        boolean replaces = before != null && now - before.startedNanos() > maxAgeNanos;
        return before == null || (replaces && running.replace(key, before, started)) ? started : null;
    }

    /** Lets a request wait for a fetch; returns false if too many requests wait, or the fetch has just ended. */
    boolean join(PendingFetch fetch, PendingFetch.Waiter waiter) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        waiter.future().whenComplete((result, failure) -> waiting.decrementAndGet());
        return fetch.join(waiter) || waiter.future().isDone();
    }

    /** Answers the waiting requests of a fetch with a response that is being received, and later requests too. */
    void share(
            PendingFetch fetch, PendingFetch.Shared received, Function<PendingFetch.Waiter, Continuation> decisions) {
        fetch.share(received);
        running.putIfAbsent(received.key(), fetch); // keeps the fetch if the key already has the headers of Vary
        fetch.complete(decisions);
    }

    /** Ends a fetch; see {@link PendingFetch#complete}. */
    void complete(PendingFetch fetch, Function<PendingFetch.Waiter, Continuation> decisions) {
        running.remove(fetch.key(), fetch);
        PendingFetch.Shared shared = fetch.shared();
        if (shared != null) {
            running.remove(shared.key(), fetch);
        }
        fetch.complete(decisions);
    }

    /** Ends a fetch that has no result for the waiting requests; see {@link PendingFetch#handOver}. */
    void handOver(PendingFetch fetch, Continuation lead) {
        if (!fetch.handOver(lead)) {
            running.remove(fetch.key(), fetch);
        }
    }

    /** The number of fetches in progress. */
    int running() {
        return running.size();
    }

    /** The number of waiting requests. */
    int waiting() {
        return waiting.get();
    }
}

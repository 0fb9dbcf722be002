package io.ballast.policy.cache;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.LocalResponse;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.store.UrlKey;
import io.ballast.policy.cache.store.Variant;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request to a backend; other requests wait for its response. Thread safety: any thread; the leader, which sends the
 * request, calls either {@link #complete} or {@link #handOver}.
 */
final class PendingFetch {

    /**
     * Identifies requests that the same response can probably answer. Only the response itself shows whether it can.
     *
     * @param selection the values of the headers that {@code Vary} of an earlier response names
     */
    record Key(UrlKey url, String context, String selection) {}

    /**
     * A waiting request.
     *
     * @param future its decision
     * @param lines its header lines
     * @param waits how often it has waited before
     */
    record Waiter(CompletableFuture<Continuation> future, HeaderLines lines, int waits) {

        /** Ends the wait; returns false if the request has ended, or has waited too long. */
        boolean decide(Continuation decision) {
            boolean waited = future.complete(decision);
            if (!waited && decision instanceof LocalResponse unused) {
                unused.source().cancel();
            }
            return waited;
        }
    }

    private final Key key;
    private final long startedNanos;
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    /**
     * The response while it is being received; null before the response arrives. It remains null if the other requests
     * must wait until the response is complete.
     */
    private volatile @Nullable Shared shared;
    /** The length of the shared response when {@link #isStalled} last noticed new data, and the time of that call. */
    private volatile long seenBytes = -1;

    private volatile long seenNanos;

    /**
     * A response that is being received.
     *
     * @param key identifies the requests that the response answers, by the headers that its {@code Vary} names
     * @param removals see {@link FetchedRequest#removals}
     */
    record Shared(Variant variant, Key key, long removals) {}

    PendingFetch(Key key, long startedNanos) {
        this.key = key;
        this.startedNanos = startedNanos;
    }

    Key key() {
        return key;
    }

    long startedNanos() {
        return startedNanos;
    }

    @Nullable Shared shared() {
        return shared;
    }

    /** Lets later requests use a response that is being received. */
    void share(Shared received) {
        shared = received;
    }

    /**
     * Whether the backend has sent nothing of a shared response for a time, so that later requests should not depend on
     * it. The time begins with the first call after the last data. Concurrent calls may extend it.
     */
    boolean isStalled(Shared received, long now, long maxNanos) {
        long available = received.variant().response().body().availableBytes();
        if (available != seenBytes) {
            seenNanos = now;
            seenBytes = available;
            return false;
        }
        return now - seenNanos > maxNanos;
    }

    /** Whether a request waits. */
    boolean isAwaited() {
        return waiters.stream().anyMatch(waiter -> !waiter.future().isDone());
    }

    /**
     * Adds a waiting request; returns false if the fetch has just ended, so that the caller must decide about the
     * request itself.
     */
    boolean join(Waiter waiter) {
        waiters.add(waiter);
        return !over || !waiters.remove(waiter);
    }

    /** Ends the fetch, and completes the decisions for all waiting requests. */
    void complete(Function<Waiter, Continuation> decisions) {
        over = true;
        for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
            if (!waiter.future().isDone()) {
                waiter.decide(decisions.apply(waiter));
            }
        }
    }

    /** Makes the request that has waited longest the leader. If no request waits, ends the fetch and returns false. */
    boolean handOver(Continuation lead) {
        while (true) {
            Waiter waiter = waiters.poll();
            if (waiter == null) {
                over = true;
                waiter = waiters.poll(); // a request may have joined before it could see that the fetch has ended
                if (waiter == null) {
                    return false;
                }
                over = false;
            }
            if (waiter.decide(lead)) {
                return true;
            }
        }
    }
}

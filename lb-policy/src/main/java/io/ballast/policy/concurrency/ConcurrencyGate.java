package io.ballast.policy.concurrency;

import io.ballast.core.config.RequestQueue;
import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests while their keys have permits, and queues further requests first in, first out. A request that ends
 * gives its permit to the first waiting request of its key. A request does not overtake waiting requests of its key.
 *
 * <p>A key can have only a part of the places in the queue, so that one client cannot occupy all of them. If several
 * event loops queue requests of a key at the same moment, the key may have one more place for each event loop.
 *
 * <p>Every admitted request must be released once. A waiting request whose client disconnects leaves the queue; if it
 * was admitted at the same moment, {@link io.ballast.http.policy.Policy#ended} is called for it.
 *
 * <p>Thread safety: all methods may be called concurrently, without locks. Cost: allocates nothing for a request that
 * does not wait; a release of a key with waiting requests searches the waiting requests of all keys.
 */
final class ConcurrencyGate {

    /** The end of a running request cannot be predicted, so clients may retry after the shortest possible time. */
    private static final String RETRY_AFTER = "Retry-After: 1\r\n";

    private static final int KEY_SLOTS = 1024;

    private final Permits permits;
    private final int maxWaiting;
    private final int maxWaitingOfKey;
    private final long maxWaitNanos;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ConcurrentLinkedQueue<Waiter> queue = new ConcurrentLinkedQueue<>();
    /**
     * The number of waiting requests per hash of the key, so that a release of a key without waiting requests need not
     * search the queue.
     */
    private final AtomicIntegerArray waitingByKeyBits = new AtomicIntegerArray(KEY_SLOTS);

    private record Waiter(long key, CompletableFuture<Continuation> decision) {}

    /** @param maxWaitingOfKey the maximum number of waiting requests of a key */
    ConcurrencyGate(Permits permits, RequestQueue queue, int maxWaitingOfKey) {
        this.permits = permits;
        this.maxWaiting = queue.requests();
        this.maxWaitingOfKey = maxWaitingOfKey;
        this.maxWaitNanos = queue.time().toNanos();
    }

    /** Admits a request if its key has a permit and no waiting requests. */
    boolean tryAdmit(long key) {
        return (waitingByKeyBits.get(slot(key)) == 0 || first(key) == null) && permits.tryAcquire(key);
    }

    /**
     * Queues a request that was not admitted.
     *
     * @param step see {@link io.ballast.http.policy.Policy#evaluate}
     * @param refusal refuses the request if the queue is full, or the request has waited too long
     * @return the refusal, or a pending decision; the request is admitted if the decision passes
     */
    PolicyDecision queue(PolicyExchange exchange, int step, long key, Continuation refusal) {
        if (!tryEnter(key)) {
            return refusal.decide(exchange, step);
        }
        CompletableFuture<Continuation> later = exchange.later(maxWaitNanos, refusal);
        Waiter waiter = new Waiter(key, later);
        waitingByKeyBits.incrementAndGet(slot(key));
        queue.add(waiter);
        later.whenComplete((result, failure) -> leave(waiter));
        admitWaiting(key); // a permit may have been released before the request was in the queue
        return new PendingDecision(later);
    }

    /** Returns a refusal with {@code Retry-After}. */
    static PolicyDecision refuse(PolicyExchange exchange, Refusal refusal) {
        exchange.responseLines().appendAscii(RETRY_AFTER);
        return refusal;
    }

    private boolean tryEnter(long key) {
        if (maxWaiting == 0 || hasItsPart(key)) {
            return false;
        }
        if (waiting.incrementAndGet() <= maxWaiting) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    private boolean hasItsPart(long key) {
        if (waitingByKeyBits.get(slot(key)) < maxWaitingOfKey) {
            return false;
        }
        int count = 0;
        for (Waiter waiter : queue) {
            if (waiter.key() == key && ++count >= maxWaitingOfKey) {
                return true;
            }
        }
        return false;
    }

    private void leave(Waiter waiter) {
        queue.remove(waiter);
        waitingByKeyBits.decrementAndGet(slot(waiter.key()));
        waiting.decrementAndGet();
    }

    /** Releases the permit of an admitted request. */
    void release(long key) {
        permits.release(key);
        admitWaiting(key);
    }

    private void admitWaiting(long key) {
        while (waitingByKeyBits.get(slot(key)) > 0) {
            Waiter first = first(key);
            if (first == null || !permits.tryAcquire(key)) {
                return;
            }
            if (!first.decision().complete(PolicyDecision.PASS)) {
                permits.release(key); // the request has left the queue meanwhile
            }
        }
    }

    /** Returns the first request of a key that still waits; null for none. */
    private @Nullable Waiter first(long key) {
        for (Waiter waiter : queue) {
            if (waiter.key() == key && !waiter.decision().isDone()) {
                return waiter;
            }
        }
        return null;
    }

    private static int slot(long key) {
        return (int) (key >>> 32) & (KEY_SLOTS - 1);
    }

    /** The number of waiting requests. */
    int waiting() {
        return waiting.get();
    }
}

package io.ballast.http.h1.backend;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of connection permits, with a queue of claims in FIFO order.
 *
 * <p>No wakeup is lost: a claim checks for a free permit <em>after</em> it has joined the queue, and {@link #release}
 * checks for claims after it has freed a permit. At least one of the two sees the other.
 *
 * <p>Thread safety: any thread may call any method; no locks. Cost: constant, except for {@link #cancel}, which is
 * linear in the number of claims.
 *
 * @param <C> the type of the claims that wait for a permit
 */
final class ConnectionPermits<C> {

    private final int max;
    private final AtomicInteger acquired = new AtomicInteger();
    private final ConcurrentLinkedQueue<C> claims = new ConcurrentLinkedQueue<>();

    ConnectionPermits(int max) {
        this.max = max;
    }

    /** Takes a permit even if claims are waiting; false if all permits are taken. */
    boolean tryAcquire() {
        while (true) {
            int count = acquired.get();
            if (count >= max) {
                return false;
            }
            if (acquired.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    /**
     * Queues a claim and returns true if a permit was free. The caller must then call {@link #release}, which
     * gives that permit to the first claim in the queue.
     */
    boolean claim(C claim) {
        claims.add(claim);
        VarHandle.fullFence(); // other threads must see the claim before this thread tries again
        return tryAcquire();
    }

    /** Removes a claim; returns false if the claim has already received a permit. */
    boolean cancel(C claim) {
        return claims.remove(claim);
    }

    /** Whether any claims are waiting. */
    boolean isClaimed() {
        return !claims.isEmpty();
    }

    /**
     * Frees a permit. Returns the claim that gets the permit; null if no claim waits and the permit stays free.
     */
    @Nullable C release() {
        do {
            C first = claims.poll();
            if (first != null) {
                return first;
            }
            acquired.decrementAndGet();
        } while (isClaimed() && tryAcquire()); // repeats for claims that were queued during this call
        return null;
    }

    /** The number of permits taken. */
    int acquired() {
        return acquired.get();
    }
}

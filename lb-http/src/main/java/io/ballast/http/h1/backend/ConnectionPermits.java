package io.ballast.http.h1.backend;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of permits to have a connection, and the claims that wait for one, first come, first served.
 *
 * <p>No claim is forgotten: one that joins looks for a free permit once more <em>after</em> it has joined, and {@link #release}
 * looks for claims once more after it has freed a permit. One of the two sees the other.
 *
 * <p>Thread safety: any thread may call any method; no locks. Cost: constant, except for {@link #cancel}, which is linear in
 * the number of claims.
 *
 * @param <C> what waits for a permit
 */
final class ConnectionPermits<C> {

    private final int most;
    private final AtomicInteger taken = new AtomicInteger();
    private final ConcurrentLinkedQueue<C> claims = new ConcurrentLinkedQueue<>();

    ConnectionPermits(int most) {
        this.most = most;
    }

    /** Takes a permit; false if all are taken. Overtakes claims. */
    boolean tryTake() {
        while (true) {
            int count = taken.get();
            if (count >= most) {
                return false;
            }
            if (taken.compareAndSet(count, count + 1)) {
                return true;
            }
        }
    }

    /**
     * Waits for a permit. Returns whether a permit has become free in the meantime; then the caller has taken it and must
     * {@link #release} it, which gives it to the claim that came first.
     */
    boolean claim(C claim) {
        claims.add(claim);
        VarHandle.fullFence(); // joining comes before looking again
        return tryTake();
    }

    /** Waits no longer; false if a permit is already on its way to the claim. */
    boolean cancel(C claim) {
        return claims.remove(claim);
    }

    /** Whether claims wait. */
    boolean isClaimed() {
        return !claims.isEmpty();
    }

    /** Gives a permit back. Returns the claim that has it now; null if none waits, so that the permit is free. */
    @Nullable C release() {
        do {
            C first = claims.poll();
            if (first != null) {
                return first;
            }
            taken.decrementAndGet();
        } while (isClaimed() && tryTake()); // for those that joined meanwhile
        return null;
    }

    /** How many permits are taken. */
    int taken() {
        return taken.get();
    }
}

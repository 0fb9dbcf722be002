package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.balance.Member;
import io.ballast.core.config.QueueConfig;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queue of requests that wait because every usable backend of their pool is full, over all event loops: first come,
 * first served.
 *
 * <p>A place on a backend that becomes free is not given back while a request waits: it is handed over, still counted as
 * in flight, so that no other request overtakes. No waiter is forgotten either: one that joins looks for a free place
 * once more <em>after</em> having joined, and a thread that frees a place looks for waiters once more after having freed
 * it. One of the two sees the other.
 *
 * <p>Thread safety: any thread may call any method; no locks. Cost: while the queue is empty, two reads when an exchange
 * ends.
 * Waiters that leave are marked, and swept out when there are many: {@code O(1)} on average.
 */
public final class WaitQueue {

    /** At least so many waiters that left are swept at once. */
    private static final int SWEEP = 64;

    private volatile int size;
    private volatile Set<Backend> unhealthy = Set.of();
    private final ConcurrentLinkedQueue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private final AtomicInteger length = new AtomicInteger();
    private final AtomicInteger longest = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();

    WaitQueue(int size) {
        this.size = size;
    }

    /** Returns the configured queue; null if requests do not wait. */
    static @Nullable WaitQueue of(QueueConfig config) {
        return config.size() == 0 ? null : new WaitQueue(config.size());
    }

    /** Lets as many wait from now on; those who wait already stay, also beyond that. */
    void resize(int max) {
        size = max;
    }

    /** A waiter. It is called back at most once, on any thread, and not after it has left. */
    public abstract static class Waiter {

        private final AtomicBoolean settled = new AtomicBoolean();

        /** The waiter owns a permit of this backend, counted as in flight. */
        protected abstract void served(Backend backend);

        /** No backend is up any more. */
        protected abstract void noneUp();
    }

    /** How many wait now. */
    public int length() {
        return length.get();
    }

    /** How many have waited at once at most. */
    public int longest() {
        return longest.get();
    }

    /** How many are held in memory, those that left included. */
    int marked() {
        return waiters.size();
    }

    /** Whether requests may be waiting, so that a new one must queue. */
    public boolean isWaited() {
        return !waiters.isEmpty();
    }

    /**
     * Joins the queue; false if as many wait as may. Then the caller looks for a free place once more, and {@linkplain
     * #offer(Backend) offers} one it finds to the queue.
     */
    public boolean join(Waiter waiter) {
        int now = length.incrementAndGet();
        if (now > size) {
            length.decrementAndGet();
            return false;
        }
        if (now > longest.get()) {
            longest.accumulateAndGet(now, Math::max);
        }
        waiters.add(waiter);
        return true;
    }

    /** Leaves the queue; false if the waiter is being called back already. */
    public boolean leave(Waiter waiter) {
        if (!settle(waiter)) {
            return false;
        }
        if (left.incrementAndGet() >= Math.max(size, SWEEP)) {
            left.set(0);
            waiters.removeIf(each -> each.settled.get());
        }
        return true;
    }

    /** Frees a place on a backend: for the first waiter if there is one, else for any request. */
    public void release(Backend backend) {
        boolean usable = isUsable(backend);
        if (usable && isWaited() && handOver(backend)) {
            return;
        }
        backend.inFlight().end();
        if (usable) {
            offer(backend);
        }
    }

    /** Gives the places that are free on a backend to those who wait. */
    public void offer(Backend backend) {
        while (isWaited() && isUsable(backend) && backend.inFlight().tryBegin()) {
            if (!handOver(backend)) {
                backend.inFlight().end(); // and look again, for those who joined meanwhile
            }
        }
    }

    /** Says which backends take traffic though they are not healthy. Not to be changed after that. */
    void usesUnhealthy(Set<Backend> backends) {
        unhealthy = backends;
    }

    /** Other backends take traffic than before. */
    void refreshed(List<Member> usable) {
        for (Member member : usable) {
            offer(member.backend());
        }
        if (usable.isEmpty()) {
            for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
                if (settle(waiter)) {
                    waiter.noneUp();
                }
            }
        }
    }

    private boolean handOver(Backend backend) {
        for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
            if (settle(waiter)) {
                waiter.served(backend);
                return true;
            }
            left.decrementAndGet();
        }
        return false;
    }

    private boolean settle(Waiter waiter) {
        if (!waiter.settled.compareAndSet(false, true)) {
            return false;
        }
        length.decrementAndGet();
        return true;
    }

    private boolean isUsable(Backend backend) {
        BackendState state = backend.health().state();
        return state.isUsable() || (!state.isTakenOut() && backend.isResolved() && unhealthy.contains(backend));
    }
}

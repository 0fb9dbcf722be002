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
 * The queue of requests that wait because every usable backend of their pool is full, in order of arrival.
 * All event loops share the queue.
 *
 * <p>A freed slot of a backend is handed over to a waiting request and stays counted as in flight, so that no
 * other request overtakes it. No waiter is lost: a new waiter looks for a free slot once more <em>after</em>
 * joining. A thread that frees a slot looks for waiters once more after freeing it. Therefore the waiter sees
 * the free slot, or the thread sees the waiter.
 *
 * <p>Thread safety: any thread may call any method; no locks. Cost: while the queue is empty, two reads at
 * the end of an exchange. Cancelled waiters are only marked, and removed when there are many: {@code O(1)} on
 * average.
 */
public final class WaitQueue {

    /** The minimum number of cancelled waiters that triggers their removal. */
    private static final int SWEEP = 64;

    private volatile int size;
    private volatile Set<Backend> unhealthy = Set.of();
    private final ConcurrentLinkedQueue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private final AtomicInteger length = new AtomicInteger();
    private final AtomicInteger maxLength = new AtomicInteger();
    private final AtomicInteger cancelledCount = new AtomicInteger();

    WaitQueue(int size) {
        this.size = size;
    }

    /** Returns the configured queue; null if requests do not wait. */
    static @Nullable WaitQueue of(QueueConfig config) {
        return config.size() == 0 ? null : new WaitQueue(config.size());
    }

    /** Changes the limit; existing waiters beyond the new limit stay. */
    void resize(int max) {
        size = max;
    }

    /** A waiting request. It is called back at most once, on any thread, and not after it was cancelled. */
    public abstract static class Waiter {

        private final AtomicBoolean completed = new AtomicBoolean();

        /** Called when the waiter gets a slot of this backend, which is already counted as in flight. */
        protected abstract void onPermit(Backend backend);

        /** Called when no backend is up any more. */
        protected abstract void onNoBackendUp();
    }

    /** Number of waiters. */
    public int length() {
        return length.get();
    }

    /** The highest number of simultaneous waiters so far, as opposed to the limit of the queue. */
    public int maxLength() {
        return maxLength.get();
    }

    /** Number of waiters in memory, including cancelled ones. */
    int storedWaiters() {
        return waiters.size();
    }

    /** Returns whether requests may be waiting, so that a new request must queue. */
    public boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /**
     * Joins the queue; returns false if the queue is full. After joining, the caller must look for a free slot
     * again. If it finds one, it must {@linkplain #offer(Backend) offer} the slot to the queue.
     */
    public boolean join(Waiter waiter) {
        int now = length.incrementAndGet();
        if (now > size) {
            length.decrementAndGet();
            return false;
        }
        if (now > maxLength.get()) {
            maxLength.accumulateAndGet(now, Math::max);
        }
        waiters.add(waiter);
        return true;
    }

    /** Removes the waiter from the queue; returns false if it is already being called back. */
    public boolean leave(Waiter waiter) {
        if (!tryComplete(waiter)) {
            return false;
        }
        if (cancelledCount.incrementAndGet() >= Math.max(size, SWEEP)) {
            cancelledCount.set(0);
            waiters.removeIf(each -> each.completed.get());
        }
        return true;
    }

    /**
     * Frees a slot of a backend. The first waiter gets the slot; if there is no waiter, any request may use it.
     */
    public void release(Backend backend) {
        boolean usable = isUsable(backend);
        if (usable && hasWaiters() && handOver(backend)) {
            return;
        }
        backend.inFlight().end();
        if (usable) {
            offer(backend);
        }
    }

    /** Grants the free slots of a backend to waiters. */
    public void offer(Backend backend) {
        while (hasWaiters() && isUsable(backend) && backend.inFlight().tryBegin()) {
            if (!handOver(backend)) {
                backend.inFlight().end(); // the loop checks again for waiters that have joined
            }
        }
    }

    /** Sets the members that get traffic although they are unhealthy. The set must not be modified afterwards. */
    void setUnhealthyBackends(Set<Backend> backends) {
        unhealthy = backends;
    }

    /** Called when the set of usable backends has changed. */
    void onUsableChanged(List<Member> usable) {
        for (Member member : usable) {
            offer(member.backend());
        }
        if (usable.isEmpty()) {
            for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
                if (tryComplete(waiter)) {
                    waiter.onNoBackendUp();
                }
            }
        }
    }

    private boolean handOver(Backend backend) {
        for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
            if (tryComplete(waiter)) {
                waiter.onPermit(backend);
                return true;
            }
            cancelledCount.decrementAndGet();
        }
        return false;
    }

    private boolean tryComplete(Waiter waiter) {
        if (!waiter.completed.compareAndSet(false, true)) {
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

package io.ballast.dns.forward;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places for queries that wait for an answer, over all threads: there are only so many, and the newest is turned away.
 *
 * <p>Thread safety: any thread may call it. Cost: one atomic operation, for queries that have to wait anyway.
 */
public final class Places {

    private final AtomicInteger taken = new AtomicInteger();
    private volatile int most;

    public Places(int most) {
        this.most = most;
    }

    /** Other limits hold from now on; who waits goes on waiting. */
    void limit(int limit) {
        most = limit;
    }

    /** Takes one; false if all are taken. */
    public boolean take() {
        if (taken.incrementAndGet() <= most) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    /** Gives one back. */
    public void giveBack() {
        taken.decrementAndGet();
    }

    /** How many are taken now. */
    public int taken() {
        return taken.get();
    }
}

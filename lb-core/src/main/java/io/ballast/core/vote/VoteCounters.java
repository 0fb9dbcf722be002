package io.ballast.core.vote;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of the backends of this node about which other nodes vote. Written by the control plane, read by any thread.
 */
public final class VoteCounters {

    private final AtomicInteger overruled = new AtomicInteger();
    private final AtomicInteger unchecked = new AtomicInteger();
    private final AtomicLong overrulings = new AtomicLong();

    void overruled(boolean begins) {
        overruled.addAndGet(begins ? 1 : -1);
        if (begins) {
            overrulings.incrementAndGet();
        }
    }

    void unchecked(boolean begins) {
        unchecked.addAndGet(begins ? 1 : -1);
    }

    /** The number of backends whose state currently contradicts the checks of this node. */
    public int overruled() {
        return overruled.get();
    }

    /** The number of backends that other nodes currently check instead of this node. */
    public int unchecked() {
        return unchecked.get();
    }

    /** How often a quorum began to contradict the checks of this node. */
    public long overrulings() {
        return overrulings.get();
    }
}

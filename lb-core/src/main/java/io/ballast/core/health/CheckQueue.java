package io.ballast.core.health;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the number of concurrent checks, because each needs a descriptor and CPU time of the event loops: ten
 * thousand backends that join together are not connected to at the same moment. The others wait in the order in which
 * they were due.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class CheckQueue {

    private final int max;
    private final Deque<CheckLoop> waiting = new ArrayDeque<>();
    private int running;
    private boolean starting;

    /** @param max number of concurrent checks */
    CheckQueue(int max) {
        this.max = max;
    }

    /** Adds the check of a loop at the end of the queue. */
    void enqueue(CheckLoop loop) {
        waiting.add(loop);
        startNext();
    }

    /** A check has ended. */
    void onCheckEnded() {
        running--;
        startNext();
    }

    /**
     * Starts waiting checks. A check that ends at once calls this method again; only the first call continues, so the
     * stack stays small.
     */
    private void startNext() {
        if (starting) {
            return;
        }
        starting = true;
        try {
            while (running < max && !waiting.isEmpty()) {
                running++;
                waiting.remove().begin();
            }
        } finally {
            starting = false;
        }
    }
}

package io.ballast.core.health;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the number of concurrent checks, because each check needs a file descriptor and CPU time of the
 * event loops. If ten thousand backends are added together, their first checks do not all start at once.
 * Further checks wait in the order in which they were due.
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

    /** Appends the check of a loop to the queue. */
    void enqueue(CheckLoop loop) {
        waiting.add(loop);
        startNext();
    }

    /** Called when a check has ended. */
    void onCheckEnded() {
        running--;
        startNext();
    }

    /**
     * Starts waiting checks. A check that ends immediately calls this method again. Such a nested call returns at
     * once and the first call continues, so that the stack does not grow.
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

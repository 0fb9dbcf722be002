package io.ballast.bench.load;

import java.util.ArrayDeque;

/** Limits the tasks that are in progress at the same time; further tasks wait in order. Event-loop confined. */
final class WorkSlots {

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    WorkSlots(int slots) {
        this.free = slots;
    }

    /**
     * Starts the task, now or when another task has ended. The caller calls {@link #release} when the task has ended.
     */
    void run(Runnable task) {
        if (free > 0) {
            free--;
            task.run();
        } else {
            waiting.add(task);
        }
    }

    void release() {
        Runnable next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.run();
        }
    }
}

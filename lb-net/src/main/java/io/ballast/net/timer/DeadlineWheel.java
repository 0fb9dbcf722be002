package io.ballast.net.timer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deadlines of one event loop in a hashed wheel with a tick of {@value #TICK_MILLIS} ms (Varghese and Lauck, "Hashed
 * and hierarchical timing wheels", 1987).
 *
 * <p>Optimized for deadlines that move with every request and almost never fire. Moving a deadline to a later time only
 * stores the time; its entry is relinked when the wheel reaches it. A deadline fires up to two ticks late, never early.
 *
 * <p>Event-loop confined. Cost: constant and free of allocation for every operation.
 */
public final class DeadlineWheel {

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineWheel.class);

    /** The length of a tick, and so the interval between calls of {@link #advance}. */
    public static final int TICK_MILLIS = 100;

    private static final long TICK_NANOS = TICK_MILLIS * 1_000_000L;
    private static final int SLOTS = 512;

    private final @Nullable Deadline[] slots = new @Nullable Deadline[SLOTS];
    private long currentTick;

    public DeadlineWheel(long nowNanos) {
        this.currentTick = nowNanos / TICK_NANOS;
    }

    /** A callback with a due time. */
    public abstract static class Deadline {
        private long dueNanos;
        private boolean armed;
        private boolean linked;
        private long linkedTick;
        private @Nullable Deadline previous;
        private @Nullable Deadline next;

        /** Called when the deadline is due. The deadline is then no longer set, so this method may set it again. */
        protected abstract void expired(long nowNanos);
    }

    /** Sets or moves a deadline. Times are those of {@link System#nanoTime()}. */
    public void set(Deadline deadline, long dueNanos) {
        deadline.dueNanos = dueNanos;
        deadline.armed = true;
        long tick = Math.min(tickAfter(dueNanos), currentTick + SLOTS - 1);
        if (!deadline.linked) {
            link(deadline, tick);
        } else if (tick < deadline.linkedTick) {
            unlink(deadline);
            link(deadline, tick);
        }
    }

    /** Cancels a deadline. Its entry is removed when the wheel reaches it. */
    public void clear(Deadline deadline) {
        deadline.armed = false;
    }

    /** Cancels a deadline and removes its entry at once, so that the wheel no longer references its owner. */
    public void remove(Deadline deadline) {
        deadline.armed = false;
        if (deadline.linked) {
            unlink(deadline);
        }
    }

    /** Fires the deadlines that are due. Called about once a tick. */
    public void advance(long nowNanos) {
        long target = nowNanos / TICK_NANOS;
        long from = Math.max(currentTick + 1, target - SLOTS + 1);
        for (long tick = from; tick <= target; tick++) {
            currentTick = tick;
            sweep((int) (tick & (SLOTS - 1)), nowNanos);
        }
    }

    private void sweep(int slot, long nowNanos) {
        // Removes entries one at a time, because a callback may set or remove any other deadline. No callback can add
        // an entry to the current slot.
        Deadline deadline = slots[slot];
        while (deadline != null) {
            unlink(deadline);
            if (deadline.armed) {
                fireOrMoveOn(deadline, nowNanos);
            }
            deadline = slots[slot];
        }
    }

    private void fireOrMoveOn(Deadline deadline, long nowNanos) {
        if (deadline.dueNanos - nowNanos > 0) {
            set(deadline, deadline.dueNanos);
            return;
        }
        deadline.armed = false;
        try {
            deadline.expired(nowNanos);
        } catch (RuntimeException e) {
            LOG.error("msg=\"timer callback failed\"", e); // the other deadlines must still fire
        }
    }

    private long tickAfter(long dueNanos) {
        return Math.max(dueNanos / TICK_NANOS + 1, currentTick + 1);
    }

    private void link(Deadline deadline, long tick) {
        int slot = (int) (tick & (SLOTS - 1));
        Deadline head = slots[slot];
        deadline.next = head;
        deadline.previous = null;
        if (head != null) {
            head.previous = deadline;
        }
        slots[slot] = deadline;
        deadline.linkedTick = tick;
        deadline.linked = true;
    }

    private void unlink(Deadline deadline) {
        Deadline previous = deadline.previous;
        Deadline next = deadline.next;
        if (previous != null) {
            previous.next = next;
        } else {
            slots[(int) (deadline.linkedTick & (SLOTS - 1))] = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        deadline.previous = null;
        deadline.next = null;
        deadline.linked = false;
    }
}

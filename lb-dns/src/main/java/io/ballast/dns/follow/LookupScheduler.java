package io.ballast.dns.follow;

import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the lookups of names: each when it is due, the longest due first, with a limit on lookups in flight.
 *
 * <p>Thread safety: any thread may call it. Only the timer is called while holding the lock.
 */
final class LookupScheduler {

    /** Maximum number of lookups in flight. */
    static final int MAX_ASKED = 200;

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final BiConsumer<FollowedName, LookupResult> replied;
    /** Names without a lookup in flight, by due time. A name is added again when its reply arrives. */
    private final PriorityQueue<FollowedName> due = new PriorityQueue<>(FollowedName::compareDue);

    private @Nullable AddressLookup asking;
    private @Nullable DelayedExecutor later;
    private int asked;
    private boolean isAsking;
    private boolean isClosed;
    /** Due time of the last set timer; null after it has fired. */
    private @Nullable Long timed;

    /**
     * @param executor executor that sends due lookups
     * @param replied called for each reply, by any thread; may add the name again
     */
    LookupScheduler(Executor executor, LongSupplier nanoTime, BiConsumer<FollowedName, LookupResult> replied) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.replied = replied;
    }

    /** Starts to send lookups. */
    void start(AddressLookup by, DelayedExecutor timer) {
        synchronized (this) {
            asking = by;
            later = timer;
        }
        wake();
    }

    /** Schedules a name for its due time; takes effect at the next {@link #wake}. */
    synchronized void add(FollowedName name) {
        due.add(name);
    }

    /** Unschedules a name. If its lookup is in flight, its reply still arrives. */
    synchronized void remove(FollowedName name) {
        due.remove(name);
    }

    /** Makes failed names due immediately. */
    void retry() {
        synchronized (this) {
            long now = nanoTime.getAsLong();
            List<FollowedName> failed =
                    due.stream().filter(name -> name.state().failures() > 0).toList();
            for (FollowedName name : failed) {
                due.remove(name);
                name.state(name.state().dueAt(now));
                due.add(name);
            }
        }
        wake();
    }

    /** Sends the lookups that are due. */
    void wake() {
        synchronized (this) {
            if (isAsking || asking == null) {
                return; // the running call checks for more due names before it ends
            }
            isAsking = true;
        }
        for (FollowedName next = next(); next != null; next = next()) {
            ask(next);
        }
    }

    private synchronized @Nullable FollowedName next() {
        FollowedName first = isClosed || asked >= MAX_ASKED ? null : due.peek();
        if (first == null) {
            isAsking = false;
            return null;
        }
        long dueNanos = first.state().dueNanos();
        if (dueNanos - nanoTime.getAsLong() > 0) {
            isAsking = false;
            setTimer(dueNanos);
            return null;
        }
        due.remove();
        asked++;
        return first;
    }

    /** Sets a timer for the first due name. Timers that were set for later names find nothing to do. */
    private void setTimer(long dueNanos) {
        if (later != null && (timed == null || dueNanos - timed < 0)) {
            timed = dueNanos;
            later.run(() -> executor.execute(() -> timed(dueNanos)), dueNanos - nanoTime.getAsLong());
        }
    }

    private void timed(long dueNanos) {
        synchronized (this) {
            if (timed != null && timed == dueNanos) {
                timed = null;
            }
        }
        wake();
    }

    private void ask(FollowedName name) {
        asking().ask(name.name(), name.family(), reply -> {
            synchronized (this) {
                asked--;
            }
            replied.accept(name, reply);
            wake();
        });
    }

    private synchronized AddressLookup asking() {
        return Objects.requireNonNull(asking);
    }

    /** Stops all lookups. */
    synchronized void close() {
        isClosed = true;
        due.clear();
    }
}

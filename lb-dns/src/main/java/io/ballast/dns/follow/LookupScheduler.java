package io.ballast.dns.follow;

import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the lookups of names. Each lookup is sent when it is due, the most overdue name first. The number
 * of lookups in flight is limited.
 *
 * <p>Thread safety: any thread may call it. Only the timer is called while holding the lock.
 */
final class LookupScheduler {

    /** Maximum number of lookups in flight. */
    static final int MAX_IN_FLIGHT = 200;

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final BiConsumer<FollowedName, LookupResult> replyListener;
    /** Names without a lookup in flight, by due time. A name is added again when its reply arrives. */
    private final PriorityQueue<FollowedName> due = new PriorityQueue<>(FollowedName::compareDue);

    private @Nullable AddressLookup addressLookup;
    private @Nullable DelayedExecutor delayedExecutor;
    private int inFlight;
    private boolean isSending;
    private boolean isClosed;
    /** Due time for which the timer was last set; null after it has fired. */
    private @Nullable Long timed;

    /**
     * @param executor executor that sends due lookups
     * @param replied callback for each reply; called by any thread, and may add the name again
     */
    LookupScheduler(Executor executor, LongSupplier nanoTime, BiConsumer<FollowedName, LookupResult> replied) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.replyListener = replied;
    }

    /** Starts to look up the scheduled names with the resolver {@code by}. */
    void start(AddressLookup by, DelayedExecutor timer) {
        synchronized (this) {
            addressLookup = by;
            delayedExecutor = timer;
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

    /** Schedules an immediate lookup of every name whose lookups are failing. */
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
            if (isSending || addressLookup == null) {
                return; // the running call checks for more due names before it ends
            }
            isSending = true;
        }
        for (FollowedName next = next(); next != null; next = next()) {
            lookUp(next);
        }
    }

    private synchronized @Nullable FollowedName next() {
        FollowedName first = isClosed || inFlight >= MAX_IN_FLIGHT ? null : due.peek();
        if (first == null) {
            isSending = false;
            return null;
        }
        long dueNanos = first.state().dueNanos();
        if (dueNanos - nanoTime.getAsLong() > 0) {
            isSending = false;
            setTimer(dueNanos);
            return null;
        }
        due.remove();
        inFlight++;
        return first;
    }

    /**
     * Sets a timer for the name that is due first. An earlier timer, for a later due time, has no effect when it
     * expires.
     */
    private void setTimer(long dueNanos) {
        if (delayedExecutor != null && (timed == null || dueNanos - timed < 0)) {
            timed = dueNanos;
            delayedExecutor.run(() -> executor.execute(() -> timed(dueNanos)), dueNanos - nanoTime.getAsLong());
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

    private void lookUp(FollowedName name) {
        addressLookup().lookUp(name.name(), name.family(), reply -> {
            synchronized (this) {
                inFlight--;
            }
            replyListener.accept(name, reply);
            wake();
        });
    }

    private synchronized AddressLookup addressLookup() {
        return Objects.requireNonNull(addressLookup);
    }

    /** Stops all lookups. */
    synchronized void close() {
        isClosed = true;
        due.clear();
    }
}

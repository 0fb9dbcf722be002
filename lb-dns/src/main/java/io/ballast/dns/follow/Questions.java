package io.ballast.dns.follow;

import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks for each name when it is due, the one that has waited longest first, and for only so many at once.
 *
 * <p>Thread safety: any thread may call it. Nothing foreign is called under its lock but the timer.
 */
final class Questions {

    /** On their way at once. */
    static final int MOST_ASKED = 200;

    private final Executor executor;
    private final LongSupplier nanoTime;
    private final BiConsumer<FollowedName, Reply> replied;
    /** None of those that are on their way: each is added again with its reply. */
    private final PriorityQueue<FollowedName> due = new PriorityQueue<>(FollowedName::compareDue);

    private @Nullable Asking asking;
    private @Nullable Later later;
    private int asked;
    private boolean isAsking;
    private boolean isClosed;
    /** For when the timer was set last; null when it has come. */
    private @Nullable Long timed;

    /**
     * @param executor asks for what becomes due
     * @param replied is told each reply, by any thread, after which the name may be added again
     */
    Questions(Executor executor, LongSupplier nanoTime, BiConsumer<FollowedName, Reply> replied) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.replied = replied;
    }

    /** Asks from now on. */
    void start(Asking by, Later timer) {
        synchronized (this) {
            asking = by;
            later = timer;
        }
        wake();
    }

    /** Has a name asked for when it is due, once this has been woken. */
    synchronized void add(FollowedName name) {
        due.add(name);
    }

    /** A name need not be asked for any more. If it is on its way, its reply still comes. */
    synchronized void remove(FollowedName name) {
        due.remove(name);
    }

    /** What has failed is due now. */
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

    /** Asks for what is due by the clock. */
    void wake() {
        synchronized (this) {
            if (isAsking || asking == null) {
                return; // who asks looks for more when that is done
            }
            isAsking = true;
        }
        for (FollowedName next = next(); next != null; next = next()) {
            ask(next);
        }
    }

    private synchronized @Nullable FollowedName next() {
        FollowedName first = isClosed || asked >= MOST_ASKED ? null : due.peek();
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

    /** There is a timer for the first that is due; those that were set for later ones find nothing to do. */
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

    private synchronized Asking asking() {
        return Objects.requireNonNull(asking);
    }

    /** Asks nobody any more. */
    synchronized void close() {
        isClosed = true;
        due.clear();
    }
}

package io.ballast.policy.oidc;

import io.ballast.policy.oidc.session.Session;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last refresh of each session, for all policies together. At most {@value #MAX} sessions have an entry. Thread
 * safety: all methods may be called concurrently without locks.
 */
final class RefreshTable {

    static final int MAX = 10_000;

    private static final long SWEEP_MILLIS = 1000;

    private final ConcurrentHashMap<String, SessionRefresh> bySession = new ConcurrentHashMap<>();
    /** The time at which old entries are removed next, in milliseconds since 1970. */
    private final AtomicLong nextSweepMillis = new AtomicLong();

    /** Returns the last refresh of a session; null if there is none, or if it is no longer needed. */
    @Nullable SessionRefresh find(String session) {
        return bySession.get(session);
    }

    /** Whether the table is full, so that the refresh of another session cannot be added. */
    boolean isFull() {
        return bySession.size() >= MAX;
    }

    /**
     * Replaces the last refresh of a session.
     *
     * @param last the last refresh; null for none
     * @return false if another thread has just replaced it
     */
    boolean replace(String session, @Nullable SessionRefresh last, SessionRefresh next) {
        return (last != null && bySession.replace(session, last, next))
                || bySession.putIfAbsent(session, next) == null; // another thread may have removed the last one
    }

    /** Records that a client has sent the cookie of a session for the first time. Cost: one look-up. */
    void confirm(Session session) {
        SessionRefresh last = bySession.get(session.id());
        if (last != null) {
            last.confirm(session);
        }
    }

    /** Removes refreshes that are no longer needed, at most once a second. */
    void sweep(long now) {
        long sweep = nextSweepMillis.get();
        boolean isDue = now >= sweep || sweep - now > SWEEP_MILLIS; // the second condition: the clock was set back
        if (isDue && nextSweepMillis.compareAndSet(sweep, now + SWEEP_MILLIS)) {
            bySession.values().removeIf(old -> old.isOver(now, /* isFull= */ false));
            if (isFull()) {
                bySession.values().removeIf(old -> old.isOver(now, /* isFull= */ true));
            }
        }
    }
}

package io.ballast.policy.oidc.session;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sessions that ended early, by a logout or because the provider refused to refresh them. Copies of their cookies are
 * rejected by all policies of the process, also after a reload. Contains at most {@value #MAX} sessions; when it is
 * full, a logout only deletes the cookie. The sessions are lost at a restart.
 *
 * <p>Thread safety: all methods may be called concurrently.
 */
public final class EndedSessions {

    public static final int MAX = 100_000;

    private static final long SWEEP_MILLIS = 1000;

    private final ConcurrentHashMap<String, Long> ends = new ConcurrentHashMap<>();
    /** The last time at which a full table was searched for sessions that have ended by now; 0 for never. */
    private final AtomicLong sweptMillis = new AtomicLong();

    /** Whether a session has ended. Cost: one comparison while no session has ended, else one look-up. */
    public boolean contains(String id) {
        return !ends.isEmpty() && ends.containsKey(id);
    }

    /**
     * Adds a session. Cost: one insertion; if the table is full, also one pass over it, at most once a second.
     *
     * @param id a random identifier, unique among all policies
     * @param endMillis when the session would have ended, in milliseconds since 1970
     */
    public void add(String id, long endMillis, long nowMillis) {
        if (ends.size() >= MAX) {
            sweep(nowMillis);
        }
        if (ends.size() < MAX) {
            ends.put(id, endMillis);
        }
    }

    private void sweep(long nowMillis) {
        long last = sweptMillis.get();
        boolean isDue = Math.abs(nowMillis - last) >= SWEEP_MILLIS; // also true if the clock was set back
        if (isDue && sweptMillis.compareAndSet(last, nowMillis)) {
            ends.values().removeIf(end -> end <= nowMillis);
        }
    }
}

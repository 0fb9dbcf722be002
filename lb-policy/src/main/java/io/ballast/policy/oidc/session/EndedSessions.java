package io.ballast.policy.oidc.session;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions that ended before their time, by a logout or because the provider refused to refresh them. Copies of their
 * cookies are rejected. Contains at most {@value #MAX} sessions; if there are more, only the cookie is deleted. The
 * contents are lost at a restart.
 *
 * <p>Thread safety: all methods may be called concurrently.
 */
public final class EndedSessions {

    static final int MAX = 10_000;

    private final ConcurrentHashMap<String, Long> ends = new ConcurrentHashMap<>();

    /** Whether a session has ended. Cost: one comparison while no session has ended, else one look-up. */
    public boolean contains(String id) {
        return !ends.isEmpty() && ends.containsKey(id);
    }

    /**
     * Adds a session.
     *
     * @param endMillis when the session would have ended, in milliseconds since 1970
     */
    public void add(String id, long endMillis, long nowMillis) {
        if (ends.size() >= MAX) {
            ends.values().removeIf(end -> end <= nowMillis);
        }
        if (ends.size() < MAX) {
            ends.put(id, endMillis);
        }
    }
}

package io.ballast.http.net;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The long-lived sessions of one event loop: tunnels, and sessions of {@code tcp} and {@code udp} listeners.
 * They are terminated when an operator puts their backend into maintenance. Cost: one set entry for each
 * session; nothing for forwarded data.
 *
 * <p>Event-loop confined.
 */
public final class LongLivedSessions {

    private final Set<LongLivedSession> all = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Executor eventLoop;

    LongLivedSessions(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /**
     * Adds a session whose backend is already chosen. If the backend is already in maintenance, the session is
     * terminated in a later task.
     */
    public void add(LongLivedSession session) {
        all.add(session);
        if (session.backend().health().state() == BackendState.MAINTENANCE) {
            eventLoop.execute(() -> {
                // The session may have ended, and its object may serve another backend by now.
                if (all.contains(session) && session.backend().health().state() == BackendState.MAINTENANCE) {
                    session.terminate();
                }
            });
        }
    }

    /** Removes a session that has ended or never started. */
    public void remove(LongLivedSession session) {
        all.remove(session);
    }

    /** Terminates the sessions of a backend. Iterates over all sessions. */
    public void terminateSessions(Backend backend) {
        for (LongLivedSession session : List.copyOf(all)) {
            // Terminating one session can end other sessions, which then have no backend.
            if (all.contains(session) && session.backend().equals(backend)) {
                session.terminate();
            }
        }
    }
}

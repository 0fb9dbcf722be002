package io.ballast.http.net;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * What lasts on one event loop beyond a request and its response: tunnels, and sessions of {@code tcp} and {@code udp}
 * listeners. They are cut when an operator puts their backend under maintenance. One more entry of a set for each; nothing for
 * what passes.
 *
 * <p>Event-loop confined.
 */
public final class LastingSessions {

    private final Set<LastingSession> all = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Executor eventLoop;

    LastingSessions(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** One has its backend; it is cut soon if that is under maintenance already. */
    public void add(LastingSession session) {
        all.add(session);
        if (session.backend().health().state() == BackendState.MAINTENANCE) {
            eventLoop.execute(() -> {
                // It may be over, and its object may serve another backend by now.
                if (all.contains(session) && session.backend().health().state() == BackendState.MAINTENANCE) {
                    session.cut();
                }
            });
        }
    }

    /** One is over, or never began. */
    public void remove(LastingSession session) {
        all.remove(session);
    }

    /** Cuts those to a backend. Looks at all of them. */
    public void cut(Backend backend) {
        for (LastingSession session : List.copyOf(all)) {
            // Cutting one can end others, which have no backend any more.
            if (all.contains(session) && session.backend().equals(backend)) {
                session.cut();
            }
        }
    }
}

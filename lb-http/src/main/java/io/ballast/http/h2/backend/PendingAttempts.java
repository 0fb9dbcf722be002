package io.ballast.http.h2.backend;

import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.relay.Failure;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Attempts that wait for a stream to a backend. Cancelled attempts are skipped. Event-loop confined. */
final class PendingAttempts {

    private final ArrayDeque<AttemptTicket> waiters = new ArrayDeque<>();

    void add(AttemptTicket ticket) {
        waiters.add(ticket);
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Number of attempts, including cancelled attempts that were not removed yet. */
    int size() {
        return waiters.size();
    }

    /** Removes cancelled attempts. Cost: linear in the number of waiting attempts. */
    void sweep() {
        waiters.removeIf(ticket -> !ticket.isValid());
    }

    /** Removes and returns the first valid ticket; null if there is none. */
    @Nullable AttemptTicket next() {
        return next(/* tunnels= */ true);
    }

    /** @param tunnels whether WebSocket requests may be returned */
    @Nullable AttemptTicket next(boolean tunnels) {
        for (Iterator<AttemptTicket> all = waiters.iterator(); all.hasNext(); ) {
            AttemptTicket next = all.next();
            boolean isValid = next.isValid();
            if (isValid && !tunnels && next.isWebSocketRequest()) {
                continue;
            }
            all.remove();
            if (isValid) {
                return next;
            }
        }
        return null;
    }

    /** Fails all waiting attempts. No part of their requests has been sent. */
    void failAll(Failure failure, String reason) {
        for (AttemptTicket next = next(); next != null; next = next()) {
            next.connectFailed(failure, reason);
        }
    }
}

package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.relay.Failure;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Exchanges that wait for a stream to a backend. One that was given up meanwhile is left out. Event-loop confined. */
final class WaitingExchanges {

    private final Backend backend;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    /** An exchange that wants a stream, at the attempt that it made then. */
    private record Waiter(Exchange exchange, long attempt) {}

    WaitingExchanges(Backend backend) {
        this.backend = backend;
    }

    void add(Exchange exchange) {
        waiters.add(new Waiter(exchange, exchange.attempt()));
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** How many there are, with those that were given up. */
    int size() {
        return waiters.size();
    }

    /** The next one, which waits no longer; null if there is none. */
    @Nullable Exchange next() {
        return next(/* tunnels= */ true);
    }

    /** @param tunnels whether it may be one that asks for a WebSocket */
    @Nullable Exchange next(boolean tunnels) {
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
            Waiter next = all.next();
            Exchange exchange = next.exchange();
            boolean waits = exchange.isConnecting(backend) && exchange.attempt() == next.attempt();
            if (waits && !tunnels && exchange.asksForWebSocket()) {
                continue;
            }
            all.remove();
            if (waits) {
                return exchange;
            }
        }
        return null;
    }

    /** None of them will get a stream. Nothing of them was sent. */
    void dismiss(Failure failure, String reason) {
        for (Exchange next = next(); next != null; next = next()) {
            next.connectFailed(failure, reason);
        }
    }
}

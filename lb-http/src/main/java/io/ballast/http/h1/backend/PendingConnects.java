package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections that one event loop is making to one backend. Only so many are made at once: clients of HTTP/2 can ask for
 * thousands in a moment, more than the backend's queue of new connections has room for, and what is lost there would look like
 * the failure of a backend that is well. The others wait, for their turn or for a connection that becomes free, as long as
 * connecting may take. Who came last is next: behind a crowd that came at once nobody else would be served in time.
 *
 * <p>Event-loop confined. Cost: an addition for each connection; an object for an exchange that waits.
 */
final class PendingConnects {

    /** How many are made at once. Systems have room for some hundred that wait to be accepted, of all event loops. */
    static final int MOST = 128;

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final IdleConnections unused;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
    private int underWay;
    private long made;
    private boolean advancing;
    private boolean advanceScheduled;

    PendingConnects(BackendLoop loop, Backend backend, BackendConnections settings, IdleConnections unused) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.unused = unused;
    }

    /** An attempt that waits for its connection. */
    private final class Waiting extends DeadlineWheel.Deadline {

        private final Exchange exchange;
        private final boolean fresh;
        private final long attempt;
        private final long madeBefore;

        Waiting(Exchange exchange, boolean fresh) {
            this.exchange = exchange;
            this.fresh = fresh;
            this.attempt = exchange.attempt();
            this.madeBefore = made;
        }

        boolean isWanted() {
            return exchange.attempt() == attempt && exchange.isConnecting(backend);
        }

        @Override
        protected void expired(long nowNanos) {
            if (!waiting.remove(this)) {
                return;
            }
            count(BackendCounter.CONNECTION_WAITS_OVER);
            if (!isWanted()) {
                return;
            }
            if (made == madeBefore) {
                exchange.connectFailed(Failure.CONNECT_TIMEOUT, "no connection was made for as long as one may take");
            } else {
                exchange.backendFailed(Failure.QUEUE_TIMEOUT); // others got theirs, so the backend is not to blame
            }
        }
    }

    /**
     * Opens a connection for an exchange, at once or when it is its turn.
     *
     * @param fresh whether none will do that was used before
     */
    void open(Exchange exchange, boolean fresh) {
        if (underWay < MOST) {
            connect(exchange);
            return;
        }
        count(BackendCounter.CONNECTION_WAITS);
        Waiting last = new Waiting(exchange, fresh);
        loop.worker.setDeadline(last, settings.connectTimeout());
        waiting.add(last);
    }

    /** A connection was made, or could not be. */
    void done(boolean isMade) {
        underWay--;
        if (isMade) {
            made++;
        }
        advance();
    }

    /** A connection became free, which is among the unused ones. */
    void freed() {
        made++;
        if (!waiting.isEmpty() && !advanceScheduled) {
            advanceScheduled = true;
            loop.worker.eventLoop().execute(() -> {
                advanceScheduled = false;
                advance();
            });
        }
    }

    private void advance() {
        if (advancing) {
            return; // a connection that fails at once
        }
        advancing = true;
        try {
            serveWaiting();
        } finally {
            advancing = false;
        }
    }

    private void serveWaiting() {
        Waiting next = lastWanted();
        while (next != null) {
            BackendConnection free = next.fresh ? null : unused.take();
            if (free == null && underWay >= MOST) {
                return;
            }
            waiting.removeLast();
            over(next);
            if (free == null) {
                connect(next.exchange);
            } else {
                free.serve(next.exchange);
                next.exchange.connected(free);
            }
            next = lastWanted();
        }
    }

    /** The last that still wants a connection; null if there is none. */
    private @Nullable Waiting lastWanted() {
        Waiting last = waiting.peekLast();
        while (last != null && !last.isWanted()) {
            waiting.removeLast();
            over(last);
            last = waiting.peekLast();
        }
        return last;
    }

    private void over(Waiting ended) {
        loop.worker.deadlines().remove(ended);
        count(BackendCounter.CONNECTION_WAITS_OVER);
    }

    private void connect(Exchange exchange) {
        underWay++;
        BackendConnection.connect(loop, backend, settings, exchange, this);
    }

    private void count(BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }
}

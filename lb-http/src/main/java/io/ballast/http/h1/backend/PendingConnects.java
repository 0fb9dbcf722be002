package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.relay.Failure;
import java.net.InetSocketAddress;

/**
 * The connections that one event loop is making to one backend. Only so many are made at once: clients of HTTP/2 can ask for
 * thousands in a moment, more than the backend's queue of new connections has room for, and what is lost there would look like
 * the failure of a backend that is well. The others wait, for their turn or for a connection that becomes free, as long as
 * connecting may take. Their clients have their turns one after the other: see {@link WaitingAttempts}. Nobody overtakes those
 * that wait for a connection that becomes free.
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
    /** Those that any connection will do for. */
    private final WaitingAttempts waiting = new WaitingAttempts();
    /** Those that need one that was not used before, whom a connection that becomes free does not help. */
    private final WaitingAttempts waitingForFresh = new WaitingAttempts();

    private int underWay;
    private long made;
    private boolean freshIsNext;
    private boolean advancing;
    private boolean advanceScheduled;

    PendingConnects(BackendLoop loop, Backend backend, BackendConnections settings, IdleConnections unused) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.unused = unused;
    }

    /** An exchange that waits for its connection. */
    private final class Waiting extends WaitingAttempts.Attempt {

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

        @Override
        protected Object owner() {
            InetSocketAddress client = exchange.clientAddress(); // one object for each connection
            return client == null ? exchange : client;
        }

        @Override
        protected boolean isWanted() {
            return exchange.attempt() == attempt && exchange.isConnecting(backend);
        }

        @Override
        protected void over() {
            loop.worker.deadlines().remove(this);
            count(BackendCounter.CONNECTION_WAITS_OVER);
        }

        @Override
        protected void expired(long nowNanos) {
            if (!queue(fresh).remove(this)) {
                return;
            }
            over();
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

    private WaitingAttempts queue(boolean fresh) {
        return fresh ? waitingForFresh : waiting;
    }

    /** Whether exchanges wait for any connection, so that one that is free is not for others. */
    boolean isWaited() {
        return !waiting.isEmpty();
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
        Waiting attempt = new Waiting(exchange, fresh);
        loop.worker.setDeadline(attempt, settings.connectTimeout());
        queue(fresh).add(attempt);
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
        if (isWaited() && !advanceScheduled) {
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
            while (giveFree() || makeNext()) {}
        } finally {
            advancing = false;
        }
    }

    /** Gives one of those that wait a connection that became free; false if there is none, or nobody to have it. */
    private boolean giveFree() {
        if (unused.newest() == null || !(waiting.poll() instanceof Waiting next)) {
            return false;
        }
        BackendConnection free = requireNonNull(unused.take());
        free.serve(next.exchange);
        next.exchange.connected(free);
        return true;
    }

    /** Makes a connection for one of those that wait, of either kind in turn; false if it may not be, or nobody waits. */
    private boolean makeNext() {
        if (underWay >= MOST) {
            return false;
        }
        freshIsNext = !freshIsNext;
        WaitingAttempts.Attempt first = queue(freshIsNext).poll();
        if (!((first == null ? queue(!freshIsNext).poll() : first) instanceof Waiting next)) {
            return false;
        }
        connect(next.exchange);
        return true;
    }

    private void connect(Exchange exchange) {
        underWay++;
        BackendConnection.connect(loop, backend, settings, exchange, this);
    }

    private void count(BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }
}

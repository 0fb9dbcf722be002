package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;

/**
 * The connects in progress from one event loop to one backend, and the attempts waiting for a connection. The
 * number of concurrent connects is limited, because HTTP/2 clients can request thousands at once. Such a
 * burst would overflow the backend's accept queue and look like a backend failure. Further attempts wait, up
 * to the connect timeout, for a connect slot or for a connection to become free. Clients take turns: see
 * {@link WaitingAttempts}. New attempts do not overtake those waiting for a free connection.
 *
 * <p>When the process runs out of file descriptors, connects are made only occasionally, as probes. Exchanges
 * wait for existing connections instead of failing. They move to another backend, or fail, only if no
 * connection exists and a retry also fails.
 *
 * <p>Event-loop confined. Cost: constant, one object per connect or waiting exchange; nothing for an exchange
 * that finds an unused connection.
 */
final class PendingConnects {

    /**
     * The maximum number of concurrent connects. Operating systems queue only a few hundred connections that are
     * not yet accepted, counting those from all event loops.
     */
    static final int MAX = 128;

    /** The retry interval while no file descriptor is known to be free. */
    static final Duration DESCRIPTOR_RETRY = Duration.ofMillis(100);

    static final String NO_DESCRIPTOR = "too many open files";

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final IdleConnections unused;
    /** Attempts that can use any connection. */
    private final WaitingAttempts waiting = new WaitingAttempts();
    /** Attempts that need a new connection and cannot reuse a connection that becomes free. */
    private final WaitingAttempts waitingForFresh = new WaitingAttempts();

    private final Retry retry = new Retry();

    /** The number of connections, including connects in progress. */
    private int open;
    /** The number of connections that have ended. */
    private long closedCount;

    private int running;
    /** The current limit on concurrent connects; reduced while the process is short of file descriptors. */
    private int max = MAX;

    /** Whether a connection was opened or closed since the last retry. */
    private boolean changed;
    /** Whether no connection existed at the last retry and none has been opened since. */
    private boolean noConnectionSinceRetry;

    private long obtainedCount;
    private boolean freshIsNext;
    private boolean advancing;
    private boolean advanceScheduled;

    PendingConnects(BackendLoop loop, Backend backend, BackendConnections settings, IdleConnections unused) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
        this.unused = unused;
    }

    /** An exchange that waits for a connection, or for which a connect is in progress. */
    final class Attempt extends WaitingAttempts.Attempt implements ConnectCount {

        private final AttemptTicket ticket;
        private final boolean fresh;
        private final long obtainedCountBefore;
        private final long endNanos;
        private long closedCountBefore;

        Attempt(AttemptTicket ticket, boolean fresh) {
            this.ticket = ticket;
            this.fresh = fresh;
            this.obtainedCountBefore = obtainedCount;
            this.endNanos = loop.worker.now() + settings.connectTimeout().toNanos();
        }

        private void enqueue() {
            count(BackendCounter.CONNECTION_WAITS);
            loop.worker.deadlines().set(this, endNanos);
            queue(fresh).add(this);
        }

        private void connect() {
            running++;
            closedCountBefore = closedCount;
            ConnectAttempt.start(unused, ticket, this);
        }

        @Override
        public void done(boolean isMade) {
            running--;
            if (isMade) {
                obtainedCount++;
                max = Math.min(2 * max + 1, MAX); // the connect got a file descriptor, so more connects may run at once
            }
            advance();
        }

        @Override
        public void outOfDescriptors() {
            running--;
            max = running; // the connects in progress still count; each of them may succeed
            loop.worker.setDeadline(retry, DESCRIPTOR_RETRY);
            if (isRequested()) {
                enqueue();
            }
            if (noConnectionSinceRetry) {
                failAll(waiting);
                failAll(waitingForFresh);
            } else if (closedCount != closedCountBefore) {
                tryAgain(); // a connection that closed during the attempt may have freed a descriptor
            }
        }

        @Override
        protected Object owner() {
            return ticket.client();
        }

        @Override
        protected boolean isRequested() {
            return ticket.isValid();
        }

        @Override
        protected void waitEnded() {
            loop.worker.deadlines().remove(this);
            count(BackendCounter.CONNECTION_WAITS_OVER);
        }

        @Override
        protected void expired(long nowNanos) {
            if (!queue(fresh).remove(this)) {
                return;
            }
            waitEnded();
            if (isShortOfDescriptors()) {
                ticket.connectFailed(Failure.NO_DESCRIPTORS, NO_DESCRIPTOR);
            } else if (obtainedCount == obtainedCountBefore) {
                ticket.connectFailed(
                        Failure.CONNECT_TIMEOUT, "no connection was established within the connect timeout");
            } else {
                ticket.waitTimedOut(); // other attempts were connected in the meantime, so the backend did not fail
            }
        }
    }

    private WaitingAttempts queue(boolean fresh) {
        return fresh ? waitingForFresh : waiting;
    }

    /**
     * Whether there are waiting attempts that can use any connection. If so, free connections are reserved for
     * them.
     */
    boolean hasWaitingAttempts() {
        return !waiting.isEmpty();
    }

    /**
     * Opens a connection for an attempt, immediately or when it is the attempt's turn.
     *
     * @param fresh whether the attempt needs a new connection, not a reused one
     */
    void open(AttemptTicket ticket, boolean fresh) {
        Attempt attempt = new Attempt(ticket, fresh);
        if (running < max) {
            attempt.connect();
        } else {
            attempt.enqueue();
        }
    }

    // ---- while the process is short of file descriptors

    private boolean isShortOfDescriptors() {
        return max < MAX;
    }

    /** Fails all attempts of a queue, because no connection can become free. */
    private void failAll(WaitingAttempts queue) {
        while (queue.poll() instanceof Attempt next) {
            next.ticket.connectFailed(Failure.NO_DESCRIPTORS, NO_DESCRIPTOR);
        }
    }

    /** Counts a new connection in progress. */
    void opened() {
        open++;
        changed();
    }

    /** Counts the end of a connection, which may have freed a descriptor. */
    void closed() {
        open--;
        closedCount++;
        changed();
        if (isShortOfDescriptors()) {
            tryAgain();
        }
    }

    private void changed() {
        changed = true;
        noConnectionSinceRetry = false;
    }

    private void tryAgain() {
        max = Math.max(max, 1);
        advanceSoon();
    }

    private final class Retry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            noConnectionSinceRetry = open == 0 && !changed;
            changed = false;
            tryAgain();
        }
    }

    // ---- turns

    /** Called when a connection has become free and is in the idle pool. */
    void freed() {
        obtainedCount++;
        if (hasWaitingAttempts()) {
            advanceSoon();
        }
    }

    private void advanceSoon() {
        if (!advanceScheduled) {
            advanceScheduled = true;
            loop.worker.eventLoop().execute(() -> {
                advanceScheduled = false;
                advance();
            });
        }
    }

    private void advance() {
        if (advancing) {
            return; // re-entrant call from a connect that failed immediately
        }
        advancing = true;
        try {
            while (assignFreeConnection() || startNextConnect()) {}
        } finally {
            advancing = false;
        }
    }

    /** Gives a free connection to a waiting attempt; false if there is no connection or no attempt. */
    private boolean assignFreeConnection() {
        if (unused.newest() == null || !(waiting.poll() instanceof Attempt next)) {
            return false;
        }
        BackendConnection free = requireNonNull(unused.poll());
        if (!next.ticket.connect(free::serve)) {
            throw new IllegalStateException("an attempt left the queue with an invalid ticket");
        }
        return true;
    }

    /**
     * Opens a connection for a waiting attempt, alternating between the queue of attempts that need a fresh
     * connection and the queue of all other attempts. Returns false if the limit is reached or if no attempt
     * waits.
     */
    private boolean startNextConnect() {
        if (running >= max) {
            return false;
        }
        freshIsNext = !freshIsNext;
        WaitingAttempts.Attempt first = queue(freshIsNext).poll();
        if (!((first == null ? queue(!freshIsNext).poll() : first) instanceof Attempt next)) {
            return false;
        }
        next.connect();
        return true;
    }

    private void count(BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }
}

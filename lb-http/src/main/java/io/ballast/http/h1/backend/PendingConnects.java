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
 * The connections that one event loop is making to one backend. Only so many are made at once: clients of HTTP/2 can ask for
 * thousands in a moment, more than the backend's queue of new connections has room for, and what is lost there would look like
 * the failure of a backend that is well. The others wait, for their turn or for a connection that becomes free, as long as
 * connecting may take. Their clients have their turns one after the other: see {@link WaitingAttempts}. Nobody overtakes those
 * that wait for a connection that becomes free.
 *
 * <p>While the process is short of file descriptors, no connection is begun but one now and then, to see whether there are some
 * again. Exchanges wait for those connections that there are, instead of failing; only if there is none at all, and none can be
 * made after a moment, do they go to another backend, or fail.
 *
 * <p>Event-loop confined. Cost: constant, an object for each connection or exchange that waits for one; nothing for an
 * exchange that finds one unused.
 */
final class PendingConnects {

    /** How many are made at once. Systems have room for some hundred that wait to be accepted, of all event loops. */
    static final int MOST = 128;

    /** How long to wait for a descriptor if none is known to have become free. */
    static final Duration DESCRIPTOR_RETRY = Duration.ofMillis(100);

    static final String NO_DESCRIPTOR = "too many open files";

    private final BackendLoop loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final IdleConnections unused;
    /** Those that any connection will do for. */
    private final WaitingAttempts waiting = new WaitingAttempts();
    /** Those that need one that was not used before, whom a connection that becomes free does not help. */
    private final WaitingAttempts waitingForFresh = new WaitingAttempts();

    private final Retry retry = new Retry();

    /** How many there are, made or being made. */
    private int open;
    /** How many have ended. */
    private long gone;

    private int underWay;
    /** How many may be under way; fewer while descriptors are short. */
    private int most = MOST;

    /** Whether a connection came or went since it was tried again. */
    private boolean changed;
    /** Whether there was no connection when it was tried again, and none has come since. */
    private boolean hopeless;

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

    /** An exchange that waits for its connection, or for which one is being made. */
    final class Attempt extends WaitingAttempts.Attempt implements ConnectCount {

        private final AttemptTicket ticket;
        private final boolean fresh;
        private final long madeBefore;
        private final long endNanos;
        private long goneBefore;

        Attempt(AttemptTicket ticket, boolean fresh) {
            this.ticket = ticket;
            this.fresh = fresh;
            this.madeBefore = made;
            this.endNanos = loop.worker.now() + settings.connectTimeout().toNanos();
        }

        private void await() {
            count(BackendCounter.CONNECTION_WAITS);
            loop.worker.deadlines().set(this, endNanos);
            queue(fresh).add(this);
        }

        private void connect() {
            underWay++;
            goneBefore = gone;
            BackendConnection.connect(unused, ticket, this);
        }

        @Override
        public void done(boolean isMade) {
            underWay--;
            if (isMade) {
                made++;
                most = Math.min(2 * most + 1, MOST); // as there was a descriptor
            }
            advance();
        }

        @Override
        public void outOfDescriptors() {
            underWay--;
            most = underWay; // which may be made all the same
            loop.worker.setDeadline(retry, DESCRIPTOR_RETRY);
            if (isWanted()) {
                await();
            }
            if (hopeless) {
                dismiss(waiting);
                dismiss(waitingForFresh);
            } else if (gone != goneBefore) {
                tryAgain(); // the descriptor of a connection that ended meanwhile may be there
            }
        }

        @Override
        protected Object owner() {
            return ticket.client();
        }

        @Override
        protected boolean isWanted() {
            return ticket.isValid();
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
            if (isShort()) {
                ticket.connectFailed(Failure.NO_DESCRIPTORS, NO_DESCRIPTOR);
            } else if (made == madeBefore) {
                ticket.connectFailed(Failure.CONNECT_TIMEOUT, "no connection was made for as long as one may take");
            } else {
                ticket.waitTimedOut(); // other attempts got connections, so the backend did not fail
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
     * Opens a connection for an attempt, at once or when it is its turn.
     *
     * @param fresh whether none will do that was used before
     */
    void open(AttemptTicket ticket, boolean fresh) {
        Attempt attempt = new Attempt(ticket, fresh);
        if (underWay < most) {
            attempt.connect();
        } else {
            attempt.await();
        }
    }

    // ---- while descriptors are short

    private boolean isShort() {
        return most < MOST;
    }

    /** There is nothing to wait for. */
    private void dismiss(WaitingAttempts queue) {
        while (queue.poll() instanceof Attempt next) {
            next.ticket.connectFailed(Failure.NO_DESCRIPTORS, NO_DESCRIPTOR);
        }
    }

    /** There is a connection more, which is being made. */
    void opened() {
        open++;
        changed();
    }

    /** There is a connection less, and so perhaps a descriptor for another one. */
    void closed() {
        open--;
        gone++;
        changed();
        if (isShort()) {
            tryAgain();
        }
    }

    private void changed() {
        changed = true;
        hopeless = false;
    }

    private void tryAgain() {
        most = Math.max(most, 1);
        advanceSoon();
    }

    private final class Retry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            hopeless = open == 0 && !changed;
            changed = false;
            tryAgain();
        }
    }

    // ---- turns

    /** A connection became free, which is among the unused ones. */
    void freed() {
        made++;
        if (isWaited()) {
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
        if (unused.newest() == null || !(waiting.poll() instanceof Attempt next)) {
            return false;
        }
        BackendConnection free = requireNonNull(unused.take());
        if (!next.ticket.connect(free::serve)) {
            throw new IllegalStateException("an attempt left the queue with an invalid ticket");
        }
        return true;
    }

    /** Makes a connection for one of those that wait, of either kind in turn; false if it may not be, or nobody waits. */
    private boolean makeNext() {
        if (underWay >= most) {
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

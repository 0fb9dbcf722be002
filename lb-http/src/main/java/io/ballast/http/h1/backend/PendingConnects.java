package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.connect.NoConnectionTimer;
import io.ballast.http.connect.WaitingAttempts;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.DescriptorQueue;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connects in progress from one event loop to one backend, and the attempts waiting for a connection. The number of
 * concurrent connects is limited, because HTTP/2 clients can request thousands at once. Such a burst would overflow the
 * backend's accept queue and look like a backend failure. Further attempts wait, up to the connect timeout, for a
 * connect slot or for a connection to become free. Clients take turns: see {@link WaitingAttempts}. New attempts do not
 * overtake attempts that already wait for a free connection.
 *
 * <p>If the backend has a connection limit, each connect needs a permit from its {@link ConnectionQuota}. An attempt
 * waits for the permit after it has left the queue.
 *
 * <p>When the process runs out of file descriptors, attempts wait for existing connections, and connects wait for their
 * turn in the {@link DescriptorQueue} of the event loop. Attempts move to another backend, or fail, only if the backend
 * has had no connection for the interval of the {@link NoConnectionTimer}.
 *
 * <p>Event-loop confined. Cost: constant, one object per connect or waiting exchange; nothing for an exchange that
 * finds an unused connection.
 */
final class PendingConnects implements DescriptorQueue.Source {

    /**
     * The maximum number of concurrent connects. Operating systems queue only a few hundred connections that the
     * backend has not accepted, from all event loops together.
     */
    static final int MAX = 128;

    private final BackendLoop loop;
    private final Worker worker;
    private final DescriptorQueue descriptors;
    private final Backend backend;
    private final BackendConnections settings;
    private final IdleConnections unused;
    private final @Nullable ConnectionQuota quota;
    /** Attempts that can use any connection. */
    private final WaitingAttempts waiting = new WaitingAttempts();
    /** Attempts that need a new connection and cannot reuse a connection that becomes free. */
    private final WaitingAttempts waitingForFresh = new WaitingAttempts();

    private final NoConnectionTimer noConnection = new NoConnectionTimer();

    /** The number of connections, including those that are being opened. */
    private int open;

    private int running;
    private long obtainedCount;
    private boolean freshIsNext;
    private boolean advancing;
    private boolean advanceScheduled;

    /**
     * @param unused the idle pool of the connections
     * @param quota the connection limit shared by all event loops; null for none
     */
    PendingConnects(
            BackendLoop loop,
            Backend backend,
            BackendConnections settings,
            IdleConnections unused,
            @Nullable ConnectionQuota quota) {
        this.loop = loop;
        this.worker = loop.worker;
        this.descriptors = loop.worker.descriptors();
        this.backend = backend;
        this.settings = settings;
        this.unused = unused;
        this.quota = quota;
    }

    /** An attempt that waits for a connection or a permit, or for which a connection is being opened. */
    final class Attempt extends WaitingAttempts.Attempt implements ConnectionQuota.Claim {

        private final AttemptTicket ticket;
        private final boolean fresh;
        private final long obtainedCountBefore;
        private final long endNanos;
        private boolean claiming;

        Attempt(AttemptTicket ticket, boolean fresh) {
            this.ticket = ticket;
            this.fresh = fresh;
            this.obtainedCountBefore = obtainedCount;
            this.endNanos = worker.now() + settings.connectTimeout().toNanos();
        }

        private void enqueue() {
            beginWait();
            queue(fresh).add(this);
        }

        private void beginWait() {
            count(BackendCounter.CONNECTION_WAITS);
            worker.deadlines().set(this, endNanos);
        }

        /** Waits for a permit of the quota. */
        private void claim(ConnectionQuota of) {
            claiming = true;
            beginWait();
            of.claim(this);
        }

        @Override
        public BackendLoop loop() {
            return loop;
        }

        @Override
        public void granted() {
            claiming = false;
            waitEnded();
            if (!isRequested()) {
                returnPermit(); // the exchange gave up the attempt while it waited for the permit
            } else if (running >= MAX || descriptors.isShort()) {
                returnPermit();
                enqueue();
                joinIfShort();
            } else if (!connect()) {
                enqueue();
                join();
            }
        }

        /**
         * Connects with the permit, if there is a quota. If no descriptor is free, returns the permit to the quota and
         * returns false.
         */
        private boolean connect() {
            running++;
            if (ConnectAttempt.start(unused, ticket, this)) {
                return true;
            }
            running--;
            returnPermit();
            return false;
        }

        /** Called when the connection has been established or has failed. */
        void done(boolean isMade) {
            running--;
            if (isMade) {
                obtainedCount++;
            }
            advance();
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
            worker.deadlines().remove(this);
            count(BackendCounter.CONNECTION_WAITS_OVER);
        }

        @Override
        protected void expired(long nowNanos) {
            if (claiming) {
                if (requireNonNull(quota).cancel(this)) { // otherwise, the attempt has a permit and will connect
                    claiming = false;
                    waitEnded();
                    ticket.waitTimedOut();
                }
                return;
            }
            if (!queue(fresh).remove(this)) {
                return;
            }
            waitEnded();
            if (descriptors.isShort()) {
                ticket.connectFailed(Failure.NO_DESCRIPTORS, DescriptorQueue.NO_DESCRIPTOR);
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
     * Whether there are waiting attempts that can use any connection. If so, free connections are reserved for these
     * attempts.
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
        if (running >= MAX || descriptors.isShort()) {
            attempt.enqueue();
            joinIfShort();
        } else if (quota != null && !quota.tryAcquire()) {
            attempt.claim(quota);
        } else if (!attempt.connect()) {
            attempt.enqueue();
            join();
        }
    }

    private void returnPermit() {
        if (quota != null) {
            quota.releasePermit();
        }
    }

    // ---- while the process is short of file descriptors

    /** Counts a connection that is being opened. */
    void opened() {
        open++;
        noConnection.reset();
    }

    /** Counts the end of a connection. */
    void closed() {
        open--;
        noConnection.reset();
    }

    private void joinIfShort() {
        if (descriptors.isShort() && running < MAX) {
            join();
        }
    }

    private void join() {
        if (descriptors.add(this)) {
            noConnection.reset();
            isWithoutConnection();
        }
    }

    private boolean isWithoutConnection() {
        boolean hasNone = open == 0 && (quota == null || quota.acquired() == 0);
        return noConnection.isOver(hasNone, worker.now());
    }

    @Override
    public Turn connectNext() {
        while (assignFreeConnection()) {}
        // at the limit, the next connect starts when a running connect has ended
        return running < MAX ? connectFirst() : Turn.NOT_NEEDED;
    }

    @Override
    public boolean hasConnection() {
        return open > 0;
    }

    /** Fails all waiting attempts if the backend has had no connection for some time. */
    @Override
    public void remainsShort() {
        if (isWithoutConnection()) {
            descriptors.remove(this);
            List<Attempt> failed = new ArrayList<>(); // a failure may queue a new attempt
            pollAll(waiting, failed);
            pollAll(waitingForFresh, failed);
            failed.forEach(each -> each.ticket.connectFailed(Failure.NO_DESCRIPTORS, DescriptorQueue.NO_DESCRIPTOR));
        }
    }

    private static void pollAll(WaitingAttempts queue, List<Attempt> polled) {
        while (queue.poll() instanceof Attempt next) {
            polled.add(next);
        }
    }

    // ---- turns

    /** Called when a connection has become free and is in the idle pool. */
    void freed() {
        obtainedCount++;
        if (hasWaitingAttempts() && !advanceScheduled) {
            advanceScheduled = true;
            worker.eventLoop().execute(() -> {
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

    /** Opens a connection for a waiting attempt; false if the limit is reached or if no attempt waits. */
    private boolean startNextConnect() {
        if (running >= MAX || (waiting.isEmpty() && waitingForFresh.isEmpty())) {
            return false;
        }
        if (!descriptors.isShort()) {
            Turn turn = connectFirst();
            if (turn != Turn.NO_DESCRIPTOR) {
                return turn == Turn.USED;
            }
        }
        join();
        return false;
    }

    /**
     * Opens a connection for the first attempt, alternating between the queue of attempts that need a fresh connection
     * and the queue of all other attempts. If no descriptor is free, the attempt keeps its place in the queue.
     */
    private Turn connectFirst() {
        WaitingAttempts queue = queue(!freshIsNext);
        if (!(queue.peek() instanceof Attempt)) {
            queue = queue(freshIsNext);
        }
        if (!(queue.peek() instanceof Attempt first)) {
            return Turn.NOT_NEEDED;
        }
        if (quota != null && !quota.tryAcquire()) {
            queue.poll();
            first.claim(quota);
        } else if (first.connect()) {
            queue.poll();
        } else {
            return Turn.NO_DESCRIPTOR;
        }
        freshIsNext = !freshIsNext;
        return Turn.USED;
    }

    private void count(BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }
}

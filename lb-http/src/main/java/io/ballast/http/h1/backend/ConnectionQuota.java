package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.util.List;

/**
 * The limit on connections to one backend, shared by all event loops.
 *
 * <p>The same limit applies to exchanges on the backend. So if an exchange finds that the connections have
 * reached the limit, another event loop has an unused connection, or will have one soon. The exchange then
 * <em>claims</em> a connection. The loops are asked in sequence to close an unused connection, and a loop
 * that finishes an exchange closes its connection. Each closed connection makes room for the first claim.
 *
 * <p>Thread safety: any event loop may call any method. Cost: nothing for a request on an existing
 * connection, except for one read at the end of its response.
 */
final class ConnectionQuota {

    private final ConnectionQuotas.Limit limit;
    private final Backend backend;
    private final List<BackendLoop> loops;
    private final ConnectionPermits<Claim> permits;

    /** @param loops all event loops that may open connections */
    ConnectionQuota(ConnectionQuotas.Limit limit, List<BackendLoop> loops) {
        this.limit = limit;
        this.backend = limit.backend();
        this.loops = loops;
        this.permits = new ConnectionPermits<>(limit.max());
    }

    ConnectionQuotas.Limit limit() {
        return limit;
    }

    /** An attempt that waits for a permit, up to the connect timeout. */
    private final class Claim extends DeadlineWheel.Deadline {

        private final IdleConnections idlePool;
        private final AttemptTicket ticket;

        Claim(IdleConnections home, AttemptTicket ticket) {
            this.idlePool = home;
            this.ticket = ticket;
        }

        @Override
        protected void expired(long nowNanos) {
            if (permits.cancel(this)) { // otherwise, the attempt has a permit and its event loop will connect
                count(idlePool.loop(), BackendCounter.CONNECTION_WAITS_OVER);
                ticket.waitTimedOut();
            }
        }
    }

    /**
     * An attempt that has a permit. If the process has no free file descriptor, the attempt retries at intervals
     * until the connect timeout. It gives up earlier if no other connection exists that could free a descriptor.
     */
    private final class Grant extends DeadlineWheel.Deadline implements ConnectCount {

        private final IdleConnections idlePool;
        private final AttemptTicket ticket;
        private final long endNanos;
        private boolean hasWaited;

        Grant(IdleConnections home, AttemptTicket ticket) {
            this.idlePool = home;
            this.ticket = ticket;
            this.endNanos = worker().now() + home.settings().connectTimeout().toNanos();
        }

        private Worker worker() {
            return idlePool.loop().worker;
        }

        void connect() {
            ConnectAttempt.start(idlePool, ticket, this);
        }

        @Override
        public void done(boolean isMade) {
            // The connection returns its permit when it ends.
        }

        @Override
        public void outOfDescriptors() {
            releasePermit();
            if (hasWaited && (permits.acquired() == 0 || worker().now() - endNanos >= 0)) {
                ticket.connectFailed(Failure.NO_DESCRIPTORS, PendingConnects.NO_DESCRIPTOR);
                return;
            }
            hasWaited = true;
            worker().setDeadline(this, PendingConnects.DESCRIPTOR_RETRY);
        }

        @Override
        protected void expired(long nowNanos) {
            if (!ticket.isValid()) {
                return;
            }
            BackendConnection free = idlePool.poll();
            if (free != null) {
                ticket.connect(free::serve);
            } else if (permits.tryAcquire()) {
                connect();
            } else {
                claim(idlePool, ticket);
            }
        }
    }

    /**
     * Opens a connection for an attempt, immediately or when a permit becomes free.
     *
     * @param home the idle pool of the new connection
     */
    void open(IdleConnections home, AttemptTicket ticket) {
        if (permits.tryAcquire()) {
            new Grant(home, ticket).connect();
        } else {
            claim(home, ticket);
        }
    }

    private void claim(IdleConnections home, AttemptTicket ticket) {
        count(home.loop(), BackendCounter.CONNECTION_WAITS);
        Claim claim = new Claim(home, ticket);
        home.loop().worker.setDeadline(claim, home.settings().connectTimeout());
        if (permits.claim(claim)) {
            releasePermit();
        } else {
            requestIdleClose(0);
        }
    }

    /** Whether any exchange waits, so that unused connections must be closed. */
    boolean isClaimed() {
        return permits.isClaimed();
    }

    /** Returns the permit of a connection that has ended or could not be opened. */
    void releasePermit() {
        Claim next = permits.release();
        if (next != null) {
            next.idlePool.loop().worker.eventLoop().execute(() -> grant(next));
        }
    }

    private void grant(Claim claim) {
        BackendLoop loop = claim.idlePool.loop();
        loop.worker.deadlines().remove(claim);
        count(loop, BackendCounter.CONNECTION_WAITS_OVER);
        if (claim.ticket.isValid()) {
            new Grant(claim.idlePool, claim.ticket).connect();
        } else {
            releasePermit(); // the attempt was given up while it waited
        }
    }

    private void count(BackendLoop loop, BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }

    private void requestIdleClose(int index) {
        if (index < loops.size() && isClaimed()) {
            BackendLoop loop = loops.get(index);
            loop.worker.eventLoop().execute(() -> {
                if (!loop.closeOneIdle(backend)) {
                    requestIdleClose(index + 1);
                }
            });
        }
    }
}

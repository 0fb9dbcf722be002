package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import java.util.List;

/**
 * How many connections all event loops together have to one backend that limits them.
 *
 * <p>Exchanges on such a backend are limited to as many, so one that needs a connection when there are enough knows that
 * another event loop has one unused, or is about to. It <em>claims</em> one: the loops are asked, one after the other, to
 * close an unused connection, and those that finish an exchange meanwhile close theirs. Each connection that ends makes
 * room for the first claim.
 *
 * <p>Thread safety: any event loop may call any method. Cost: nothing for a request on a connection that is there, but a
 * read when its response ends.
 */
final class ConnectionQuota {

    private final ConnectionQuotas.Limit limit;
    private final Backend backend;
    private final List<BackendLoop> loops;
    private final ConnectionPermits<Claim> permits;

    /** @param loops all that may have connections */
    ConnectionQuota(ConnectionQuotas.Limit limit, List<BackendLoop> loops) {
        this.limit = limit;
        this.backend = limit.backend();
        this.loops = loops;
        this.permits = new ConnectionPermits<>(limit.most());
    }

    ConnectionQuotas.Limit limit() {
        return limit;
    }

    /** An attempt that waits for room for its connection, as long as connecting may take. */
    private final class Claim extends DeadlineWheel.Deadline {

        private final IdleConnections home;
        private final AttemptTicket ticket;

        Claim(IdleConnections home, AttemptTicket ticket) {
            this.home = home;
            this.ticket = ticket;
        }

        @Override
        protected void expired(long nowNanos) {
            if (permits.cancel(this)) { // otherwise it has a permit, and its event loop is about to connect
                count(home.loop(), BackendCounter.CONNECTION_WAITS_OVER);
                ticket.waitTimedOut();
            }
        }
    }

    /**
     * An attempt that has room for its connection. If the process has no file descriptor for it, it tries again every now and
     * then for as long as connecting may take, provided that there is another connection whose end could help.
     */
    private final class Grant extends DeadlineWheel.Deadline implements ConnectCount {

        private final IdleConnections home;
        private final AttemptTicket ticket;
        private final long endNanos;
        private boolean hasWaited;

        Grant(IdleConnections home, AttemptTicket ticket) {
            this.home = home;
            this.ticket = ticket;
            this.endNanos = worker().now() + home.settings().connectTimeout().toNanos();
        }

        private Worker worker() {
            return home.loop().worker;
        }

        void connect() {
            BackendConnection.connect(home, ticket, this);
        }

        @Override
        public void done(boolean isMade) {
            // The connection gives its room back when it ends.
        }

        @Override
        public void outOfDescriptors() {
            closed();
            if (hasWaited && (permits.taken() == 0 || worker().now() - endNanos >= 0)) {
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
            BackendConnection free = home.take();
            if (free != null) {
                ticket.connect(free::serve);
            } else if (permits.tryTake()) {
                connect();
            } else {
                claim(home, ticket);
            }
        }
    }

    /**
     * Opens a connection for an attempt, at once or as soon as there is room for one.
     *
     * @param home where it waits later while it is unused
     */
    void open(IdleConnections home, AttemptTicket ticket) {
        if (permits.tryTake()) {
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
            closed();
        } else {
            askForOne(0);
        }
    }

    /** Whether an exchange waits, so that an unused connection must be closed. */
    boolean isClaimed() {
        return permits.isClaimed();
    }

    /** A connection has ended, or could not be made. */
    void closed() {
        Claim next = permits.release();
        if (next != null) {
            next.home.loop().worker.eventLoop().execute(() -> grant(next));
        }
    }

    private void grant(Claim claim) {
        BackendLoop loop = claim.home.loop();
        loop.worker.deadlines().remove(claim);
        count(loop, BackendCounter.CONNECTION_WAITS_OVER);
        if (claim.ticket.isValid()) {
            new Grant(claim.home, claim.ticket).connect();
        } else {
            closed(); // it was given up meanwhile
        }
    }

    private void count(BackendLoop loop, BackendCounter counter) {
        backend.stats().counters(loop.index()).increment(counter);
    }

    private void askForOne(int index) {
        if (index < loops.size() && isClaimed()) {
            BackendLoop asked = loops.get(index);
            asked.worker.eventLoop().execute(() -> {
                if (!asked.closeOneIdle(backend)) {
                    askForOne(index + 1);
                }
            });
        }
    }
}

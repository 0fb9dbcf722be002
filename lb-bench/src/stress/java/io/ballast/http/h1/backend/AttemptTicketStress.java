package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.pool.Pool;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.Pools;
import io.ballast.http.background.exchange.BackgroundExchanges;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.Listener;
import io.ballast.http.net.StressWorker;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Tests races of an {@link AttemptTicket} that waits for a permit while another event loop releases one. The ticket is
 * passed to the other loop and back, as in {@link ConnectionQuota}. In the meantime, the exchange of the ticket may end
 * and serve another request. The results are how often the first and the second request were sent, and the number of
 * permits in use at the end.
 */
final class AttemptTicketStress {

    private AttemptTicketStress() {}

    /**
     * An exchange on an event loop, whose first request waits for the only permit. The actor {@code loop} is the thread of
     * the event loop. Exchanges of different states share one worker, so states begin and end one at a time.
     */
    private abstract static class WaitingExchange {

        private static final Object ONE_AT_A_TIME = new Object();
        private static final Worker WORKER = StressWorker.create();
        private static final Listener LISTENER = BackgroundExchanges.listener((backend, reason) -> {}, /* shards= */ 1);

        final ConnectionPermits<AttemptTicket> permits = new ConnectionPermits<>(/* max= */ 1);
        final Queue<AttemptTicket> grants = new ConcurrentLinkedQueue<>();
        final StressClient client = new StressClient();
        private final Pool pool = Pools.pool("pool", Pools.UNCHECKED, Backends.backend(0));
        private final Exchange exchange = new Exchange(
                WORKER,
                this::open,
                LISTENER,
                ClientDeadlines.DEFAULT,
                client,
                /* proxiedClient= */ null,
                new ClientKeys(1));

        @Nullable AttemptTicket ticket;

        WaitingExchange() {
            permits.tryAcquire();
            synchronized (ONE_AT_A_TIME) {
                beginRequest();
            }
        }

        /** Claims a permit for the attempt, as {@link ConnectionQuota} does. */
        private @Nullable BackendSide open(
                Backend backend, BackendConnections settings, boolean fresh, Exchange opening) {
            AttemptTicket claim = opening.ticket();
            ticket = claim;
            if (permits.claim(claim)) {
                release();
            }
            return null;
        }

        final void beginRequest() {
            client.request++;
            exchange.begin(pool, /* generation= */ 0);
        }

        final void endRequest() {
            exchange.abort(Failure.CLIENT_GONE);
        }

        /**
         * Ends the connection of another request. The first waiting claim gets the permit of this connection, on the
         * event loop of the claim.
         */
        final void release() {
            AttemptTicket next = permits.release();
            if (next != null) {
                grants.add(next);
            }
        }

        /** Runs the tasks of the event loop. */
        final void runGrants() {
            for (AttemptTicket next = grants.poll(); next != null; next = grants.poll()) {
                if (!next.connect(bound -> Discarding.INSTANCE)) {
                    release(); // the attempt was given up while it waited
                }
            }
        }

        final void result(III_Result result) {
            synchronized (ONE_AT_A_TIME) {
                runGrants();
                endRequest();
            }
            result.r1 = client.sent[1];
            result.r2 = client.sent[2];
            result.r3 = permits.acquired();
        }
    }

    @JCStressTest
    @Outcome(
            id = "0, 1, 1",
            expect = Expect.ACCEPTABLE,
            desc = "The first request was gone, the second one has the permit.")
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The first request was sent before it ended.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A connection for another request, or a lost permit.")
    @State
    public static class NextRequestWhileAPermitIsReleased extends WaitingExchange {

        @Actor
        public void loop() {
            runGrants();
            endRequest();
            if (client.sent[1] == 0) {
                beginRequest();
                runGrants();
            }
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void end(III_Result result) {
            result(result);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The request had the permit before it timed out.")
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "It timed out, and the permit is free.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It timed out and was sent, or the permit was lost.")
    @State
    public static class TimeoutWhileAPermitIsReleased extends WaitingExchange {

        @Actor
        public void loop() {
            AttemptTicket waiting = ticket;
            if (waiting != null && permits.cancel(waiting)) {
                waiting.waitTimedOut();
            }
            runGrants();
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void end(III_Result result) {
            result(result);
            if (client.sent[1] + client.failed[1] != 1) {
                result.r1 = -1; // the request was both sent and failed, or neither
            }
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "The request ended first; the permit is free.")
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The request was sent before it ended.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A connection after the end, or a lost permit.")
    @State
    public static class EndWhileAPermitIsReleased extends WaitingExchange {

        @Actor
        public void loop() {
            runGrants();
            endRequest();
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void end(III_Result result) {
            result(result);
        }
    }

    /** A connection that discards everything. */
    private static final class Discarding implements BackendSide {

        static final Discarding INSTANCE = new Discarding();

        @Override
        public boolean isReused() {
            return false;
        }

        @Override
        public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
            head.release();
        }

        @Override
        public void send(ByteBuf data) {
            data.release();
        }

        @Override
        public void endRequest() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public void setReading(boolean on) {}

        @Override
        public void abort() {}
    }
}

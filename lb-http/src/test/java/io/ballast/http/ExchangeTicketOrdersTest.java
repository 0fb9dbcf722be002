package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.HostPort;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests every order of up to {@value #EVENTS} events for one exchange object. Requests start, are cancelled and end.
 * Connections for current and earlier attempts become ready, fail, or exceed the time limit. Connections of earlier
 * attempts report their end. A request must only be sent on its own connection, and end exactly once.
 */
class ExchangeTicketOrdersTest {

    private static final int EVENTS = 6;

    private enum Event {
        BEGIN,
        GIVE_UP,
        CONNECT_NEWEST,
        CONNECT_FORMER,
        CONNECT_OLDEST,
        FAIL_NEWEST,
        FAIL_FORMER,
        TIME_OUT_NEWEST,
        TIME_OUT_OLDEST,
        RESPONSE_ENDS,
        FORMER_RESPONSE_ENDS,
        CONNECTION_ENDS,
        FORMER_CONNECTION_ENDS
    }

    private int orders;
    private int sent;

    @Test
    void requestUsesItsConnectionAndEndsOnce() throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .loops(1)
                .backend(new HostPort("127.0.0.1", 1))
                .backend(new HostPort("127.0.0.1", 2))
                .start()) {
            Worker worker = balancer.workers().all().get(0);
            for (Event second : Event.values()) {
                worker.eventLoop()
                        .submit(() -> all(balancer, worker, new ArrayList<>(List.of(Event.BEGIN, second))))
                        .get();
            }
            balancer.awaitQuietBackends();
        }
        assertThat(orders).isEqualTo((int) Math.pow(Event.values().length, EVENTS - 1));
        assertThat(sent).isGreaterThan(orders / 10);
    }

    private void all(TestBalancer balancer, Worker worker, List<Event> order) {
        if (order.size() == EVENTS) {
            Run run = new Run(balancer, worker);
            try {
                order.forEach(run::act);
                run.end();
            } catch (AssertionError e) {
                throw new AssertionError(order + ": " + run.log, e);
            }
            orders++;
            sent += run.sent;
            return;
        }
        for (Event next : Event.values()) {
            order.add(next);
            all(balancer, worker, order);
            order.remove(order.size() - 1);
        }
    }

    /** A ticket and its request. */
    private record IssuedTicket(AttemptTicket ticket, int request, long attempt) {}

    /** One exchange object, a client with numbered requests, and the tickets of the exchange. */
    private static final class Run implements ClientSide {

        private final TestBalancer balancer;
        private final RequestProperties properties = new GetRequest();
        private final Exchange exchange;
        private final List<IssuedTicket> kept = new ArrayList<>();
        private final List<String> log = new ArrayList<>();
        private int request;
        private boolean isRunning;
        /** Number of the request whose connection is being assigned. */
        private int bindingFor;

        private int sent;

        Run(TestBalancer balancer, Worker worker) {
            this.balancer = balancer;
            this.exchange = new Exchange(
                    worker,
                    this::open,
                    balancer.listener(),
                    ClientDeadlines.DEFAULT,
                    this,
                    /* proxiedClient= */ null,
                    new ClientKeys(1));
        }

        private @Nullable BackendSide open(
                Backend backend, BackendConnections settings, boolean fresh, Exchange opening) {
            kept.add(new IssuedTicket(opening.ticket(), request, opening.attempt()));
            return null;
        }

        private static void check(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(what);
            }
        }

        void act(Event event) {
            switch (event) {
                case BEGIN -> begin();
                case GIVE_UP -> abandon();
                case CONNECT_NEWEST -> connect(from(1));
                case CONNECT_FORMER -> connect(from(2));
                case CONNECT_OLDEST -> connect(from(kept.size()));
                case FAIL_NEWEST -> from(1).ticket.connectFailed(Failure.CONNECT_TIMEOUT, "");
                case FAIL_FORMER -> from(2).ticket.connectFailed(Failure.CONNECT_TIMEOUT, "");
                case TIME_OUT_NEWEST -> from(1).ticket.waitTimedOut();
                case TIME_OUT_OLDEST -> from(kept.size()).ticket.waitTimedOut();
                case RESPONSE_ENDS -> exchange.finish(from(1).attempt);
                case FORMER_RESPONSE_ENDS -> former(exchange::finish);
                case CONNECTION_ENDS -> exchange.backendFailed(from(1).attempt, Failure.RESET_BEFORE_RESPONSE, "");
                case FORMER_CONNECTION_ENDS ->
                    former(attempt -> exchange.backendFailed(attempt, Failure.RESET_BEFORE_RESPONSE, ""));
            }
            check(exchange.isRunning() == isRunning, "running after " + event);
        }

        /** The connection of an earlier attempt reports an event, which must have no effect. */
        private void former(LongConsumer report) {
            long former = from(2).attempt;
            if (former != exchange.attempt()) {
                int before = log.size();
                int tickets = kept.size();
                report.accept(former);
                check(log.size() == before && kept.size() == tickets, "report of a former attempt had an effect");
            }
        }

        /** Returns the ticket at position {@code end} from the end of the list, or the oldest ticket. */
        private IssuedTicket from(int end) {
            return kept.get(Math.max(0, kept.size() - end));
        }

        private void begin() {
            if (isRunning) {
                return;
            }
            request++;
            isRunning = true;
            exchange.begin(balancer.pool(), /* generation= */ 0);
        }

        private void abandon() {
            exchange.abort(Failure.CLIENT_GONE);
            isRunning = false;
        }

        private void connect(IssuedTicket one) {
            bindingFor = one.request;
            boolean wasValid = one.ticket.isValid();
            boolean[] isBound = {false};
            one.ticket.connect(bound -> {
                isBound[0] = true;
                check(one.request == request, "connection for another request");
                return Sink.INSTANCE;
            });
            check(isBound[0] == wasValid, "bound only with a valid ticket");
            check(!one.ticket.isValid(), "ticket valid after its connection");
        }

        void end() {
            abandon();
            for (IssuedTicket each : kept) {
                check(!each.ticket.isValid(), "ticket valid after the end");
            }
        }

        private void over(String how) {
            check(isRunning, how);
            log.add(how + " " + request);
            isRunning = false;
        }

        @Override
        public void sendRequest(BackendSide backend) {
            check(isRunning, "sent after its end");
            check(bindingFor == request, "sent on the connection of another request");
            log.add("sent " + request);
            sent++;
            backend.sendHead(Unpooled.EMPTY_BUFFER, /* headBytes= */ 0, /* inChunks= */ false);
            backend.endRequest();
        }

        @Override
        public boolean canSendAgain() {
            return true;
        }

        @Override
        public boolean isFirstRequest() {
            return false;
        }

        @Override
        public RequestProperties request() {
            return properties;
        }

        @Override
        public void resumeRequest() {}

        @Override
        public void informational(ResponseScanner head, ByteBuf received) {
            received.release();
        }

        @Override
        public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
            received.release();
        }

        @Override
        public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
            throw new AssertionError("no tunnel was asked for");
        }

        @Override
        public void responseBody(ByteBuf data) {
            data.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void responseEnd() {
            over("end");
        }

        @Override
        public void fail(Failure failure) {
            over("failed");
        }
    }

    /** A connection that discards all data. */
    private static final class Sink implements BackendSide {

        static final Sink INSTANCE = new Sink();

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

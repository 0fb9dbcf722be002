package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Tests that buffers for slow clients stay within the budget, regardless of the number of slow clients. Other clients
 * must not be affected.
 */
class TransitBudgetTest {

    private static final int KIB = 1024;
    private static final long BUDGET = 2 * KIB * KIB;
    private static final int SLOW_CLIENTS = 60;
    private static final int STREAMS = 100;
    private static final int SMALL_BUFFER = 16 * KIB;
    private static final int LONG_BODY = 2 * KIB * KIB;
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LONG = "GET /long HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LONG_THEN_CLOSE = "GET /close HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void slowReadersStayWithinBudget(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(TransitBudgetTest::longOrHello);
                TestBalancer balancer = balancer(transport, backend)) {
            List<RawClient> slow = slowClients(balancer, LONG);
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(balancer.buffersInUse()).isLessThan(BUDGET);
            assertThatOthersAreServed(balancer);

            for (RawClient client : slow) {
                client.readHead();
                assertThat(client.readExactly(LONG_BODY)).hasSize(LONG_BODY);
                client.close();
            }
            assertThat(balancer.count(Failure.SHED)).isZero();
        }
    }

    @EachTransport
    void closedWindowsStayWithinBudget(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(TransitBudgetTest::longOrHello);
                TestBalancer balancer = balancer(transport, backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 0)
                        .keepingWindows()) {
            for (int i = 0; i < STREAMS; i++) {
                client.get("/long");
            }
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(balancer.buffersInUse()).isLessThan(BUDGET);
            assertThatOthersAreServed(balancer);
            assertThat(balancer.count(Failure.SHED)).isZero();
        }
    }

    /**
     * After a backend has closed its connection, the data that was not read yet must not exceed the budget. With epoll,
     * Netty then reads the whole socket buffer at once. The balancer therefore limits the socket buffers of connections
     * that it opens while memory is short.
     */
    @EachTransport
    void responsesOfClosingBackendsStayWithinBudget(TransportKind transport) throws Exception {
        long budget = 4 * BUDGET;
        try (TestBackend backend = TestBackend.playing(TransitBudgetTest::longOrHello);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .transitBytes(budget)
                        .start()) {
            List<RawClient> before = slowClients(balancer, LONG);
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));
            List<RawClient> slow = slowClients(balancer, LONG_THEN_CLOSE);
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(balancer.buffersInUse()).isLessThan(budget);

            for (RawClient client : slow) {
                client.readHead();
                assertThat(client.readToEnd().length())
                        .as("of %d bytes; %d connections were shed", LONG_BODY, balancer.count(Failure.SHED))
                        .isEqualTo(LONG_BODY);
                client.close();
            }
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
            before.forEach(RawClient::close);
        }
    }

    @EachTransport
    void uploadsToStalledBackendStayWithinBudget(TransportKind transport) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Script stalled = connection -> {
            String head = connection.readHead();
            if (head.startsWith("GET")) {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            } else {
                connection.await(over);
            }
        };
        try (TestBackend backend = TestBackend.playing(stalled);
                TestBalancer balancer = balancer(transport, backend)) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                RawClient client = balancer.client();
                slow.add(client);
                client.send("PUT /long HTTP/1.1\r\nHost: a\r\nContent-Length: " + 64L * LONG_BODY + "\r\n\r\n");
                Thread sender = new Thread(() -> sendUntilClosed(client));
                sender.setDaemon(true);
                sender.start();
            }
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));

            assertThat(balancer.buffersInUse()).isLessThan(BUDGET);
            assertThatOthersAreServed(balancer);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
            slow.forEach(RawClient::close);
            over.countDown();
        }
    }

    @EachTransport
    void largestConnectionsAreClosedWhenBudgetIsExhausted(TransportKind transport) throws Exception {
        int budget = 256 * KIB;
        String partialHead = "GET / HTTP/1.1\r\nHost: a\r\n" + ("X: " + "y".repeat(1000) + "\r\n").repeat(20);
        try (TestBackend backend = TestBackend.playing(TransitBudgetTest::longOrHello);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .transitBytes(budget)
                        .start()) {
            List<RawClient> slow = slowClients(balancer, partialHead);

            balancer.await("some are shed", () -> balancer.count(Failure.SHED) > 0);

            balancer.await("it fits", () -> balancer.buffersInUse() <= budget);
            // The other loop may still be closing connections.
            balancer.awaitStandstill(() -> balancer.count(Failure.SHED), /* min= */ 0);
            assertThat(balancer.workers().transit().shedConnections()).isEqualTo(balancer.count(Failure.SHED));
            assertThatOthersAreServed(balancer);
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isEqualTo(balancer.count(Failure.SHED));
            assertThat(slow.stream().anyMatch(TransitBudgetTest::gets503)).isTrue();
            slow.forEach(RawClient::close);
        }
    }

    private static boolean gets503(RawClient client) {
        return client.finishSending().readToEnd().startsWith("HTTP/1.1 503");
    }

    private static TestBalancer balancer(TransportKind transport, TestBackend backend) throws BindException {
        return BalancerSetup.on(transport).backend(backend).transitBytes(BUDGET).start();
    }

    private static List<RawClient> slowClients(TestBalancer balancer, String request) {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < SLOW_CLIENTS; i++) {
            clients.add(RawClient.connect(balancer.port(), SMALL_BUFFER).send(request));
        }
        return clients;
    }

    private static void assertThatOthersAreServed(TestBalancer balancer) {
        for (int i = 0; i < 20; i++) {
            try (RawClient other = balancer.client()) {
                assertThat(other.send(HELLO).read().body()).isEqualTo("hello");
                assertThat(other.send(HELLO).read().body()).isEqualTo("hello");
            }
        }
    }

    private static void sendUntilClosed(RawClient client) {
        byte[] piece = new byte[64 * KIB];
        try {
            while (true) {
                client.send(piece);
            }
        } catch (RuntimeException e) {
            // the test has ended
        }
    }

    private static void longOrHello(ScriptedConnection connection) throws IOException {
        String request = connection.readRequest();
        if (request.startsWith("GET /hello")) {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            return;
        }
        boolean close = request.startsWith("GET /close");
        String length = close ? "Connection: close" : "Content-Length: " + LONG_BODY;
        connection.send("HTTP/1.1 200 OK\r\n" + length + "\r\n\r\n");
        connection.send(new byte[LONG_BODY]);
        if (close) {
            connection.close();
        }
    }
}

package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Tests pipelining of safe requests of several clients on one backend connection. */
class PipeliningTest {

    private static final int CLIENTS = 4;

    @EachTransport
    void clientsShareConnectionAndGetOwnResponses(TransportKind transport) throws Exception {
        Line line = (connection, requests) -> answerAll(connection, requests);
        onOneLine(transport, line, List.of(), (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            assertThat(backend.connections()).isEqualTo(1);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void unsafeRequestsUseOwnConnection(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script waits = connection -> {
            String request = connection.readRequest();
            connection.await(all);
            answer(connection, request);
        };
        try (TestBackend backend = TestBackend.playing(waits);
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "DELETE");
            balancer.await("all were sent", () -> backend.requests().size() == CLIENTS);
            all.countDown();

            assertAnswers(clients, 0, 1, 2, 3);
            assertThat(backend.connections()).isEqualTo(CLIENTS);
        }
    }

    @EachTransport
    void requestsBehindClosedConnectionAreRetried(TransportKind transport) throws Exception {
        Line closesAfterTwo = (connection, requests) -> {
            answerAll(connection, requests.subList(0, 2));
            connection.close();
        };
        onOneLine(transport, closesAfterTwo, List.of(echoPath(), echoPath()), (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(CLIENTS - 2);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void requestsBehindConnectionCloseAreRetried(TransportKind transport) throws Exception {
        Line closing = (connection, requests) -> {
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/0");
            connection.awaitClose();
        };
        List<Script> after = List.of(echoPath(), echoPath(), echoPath());
        onOneLine(transport, closing, after, (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void truncatedResponseFailsOnlyItsExchange(TransportKind transport) throws Exception {
        Line cuts = (connection, requests) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            connection.close();
        };
        List<Script> after = List.of(echoPath(), echoPath(), echoPath());
        onOneLine(transport, cuts, after, (clients, balancer, backend) -> {
            assertThat(clients.get(0).readToEnd()).endsWith("half");
            assertAnswers(clients, 1, 2, 3);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        });
    }

    @EachTransport
    void responseOfDisconnectedClientIsDiscarded(TransportKind transport) throws Exception {
        CountDownLatch disconnected = new CountDownLatch(1);
        Line waits = (connection, requests) -> answerAll(connection.await(disconnected), requests);
        onOneLine(transport, waits, List.of(), (clients, balancer, backend) -> {
            clients.get(0).close();
            clients.get(2).close();
            balancer.await("they are gone", () -> balancer.count(Failure.CLIENT_GONE) == 2);
            disconnected.countDown();

            assertAnswers(clients, 1, 3);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void malformedResponseFailsOnlyItsExchange(TransportKind transport) throws Exception {
        Line junk = (connection, requests) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/0junk");
            connection.awaitClose();
        };
        onOneLine(transport, junk, List.of(echoPath(), echoPath()), (clients, balancer, backend) -> {
            assertAnswers(clients, 0);
            assertThat(clients.get(1).read().status()).isEqualTo(502);
            assertAnswers(clients, 2, 3);
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
        });
    }

    /** The client's next request starts while the rest of the received data is still being parsed. */
    @EachTransport
    void surplusBytesAreNoResponseToLaterRequest(TransportKind transport) throws Exception {
        Script sendsUnsolicitedData = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/0"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged");
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(sendsUnsolicitedData, echoPath());
                TestBalancer balancer = pipelining(transport, backend);
                RawClient client = balancer.client()) {
            client.send("GET /0 HTTP/1.1\r\nHost: a\r\n\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().body()).isEqualTo("/0");
            assertThat(client.read().body()).isEqualTo("/1");
        }
    }

    @EachTransport
    void slowReaderDelaysOnlyRequestsBehindIt(TransportKind transport) throws Exception {
        String large = "0123456789".repeat(400_000);
        Line line = (connection, requests) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + large.length() + "\r\n\r\n" + large);
            answerAll(connection, requests.subList(1, CLIENTS));
        };
        onOneLine(transport, line, List.of(), (clients, balancer, backend) -> {
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(clients.get(0).read().body().equals(large)).isTrue();
            assertAnswers(clients, 1, 2, 3);
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
        });
    }

    /** A backend's responses to pipelined requests. */
    @FunctionalInterface
    private interface Line {
        void answer(ScriptedConnection connection, List<String> requests) throws IOException, InterruptedException;
    }

    @FunctionalInterface
    private interface Outcome {
        void check(List<RawClient> clients, TestBalancer balancer, TestBackend backend) throws Exception;
    }

    /** Each client sends a pipelined GET before the backend answers the first request. */
    private static void onOneLine(TransportKind transport, Line line, List<Script> after, Outcome outcome)
            throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        List<Script> scripts = new ArrayList<>();
        scripts.add(connection -> {
            List<String> requests = readAll(connection);
            line.answer(connection.await(all), requests);
        });
        scripts.addAll(after);
        try (TestBackend backend = TestBackend.playing(scripts.toArray(Script[]::new));
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            all.countDown();
            outcome.check(clients, balancer, backend);
            clients.forEach(RawClient::close);
        }
    }

    private static void assertAnswers(List<RawClient> clients, int... numbers) {
        for (int number : numbers) {
            assertThat(clients.get(number).read().body()).isEqualTo("/" + number);
        }
    }

    private static void answerAll(ScriptedConnection connection, List<String> requests) throws IOException {
        for (String request : requests) {
            answer(connection, request);
        }
    }

    private static TestBalancer pipelining(TransportKind transport, TestBackend backend) throws Exception {
        return BalancerSetup.on(transport)
                .backend(backend)
                .loops(1)
                .connections(new Connections().pipelining(CLIENTS))
                .start();
    }

    /** Connects one client after the other, to fix the order of their requests. */
    private static List<RawClient> clients(TestBalancer balancer, String method) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = balancer.client();
            client.send(method + " /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
            int sent = i + 1;
            balancer.await("it was sent", () -> balancer.count(BackendCounter.REQUESTS) == sent);
            clients.add(client);
        }
        return clients;
    }

    private static List<String> readAll(ScriptedConnection connection) throws IOException {
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            requests.add(connection.readRequest());
        }
        return requests;
    }

    private static Script echoPath() {
        return connection -> answer(connection, connection.readRequest());
    }

    private static void answer(ScriptedConnection connection, String request) throws IOException {
        String path = request.split(" ", 3)[1];
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + path.length() + "\r\n\r\n" + path);
    }
}

package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BackendTalk;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
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
        Line line = (talk, requests) -> answerAll(talk, requests);
        onOneLine(transport, line, List.of(), (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            assertThat(backend.connections()).isEqualTo(1);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void unsafeRequestsUseOwnConnection(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script waits = talk -> {
            String request = talk.readRequest();
            talk.await(all);
            answer(talk, request);
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
        Line closesAfterTwo = (talk, requests) -> {
            answerAll(talk, requests.subList(0, 2));
            talk.close();
        };
        onOneLine(transport, closesAfterTwo, List.of(echoPath(), echoPath()), (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(CLIENTS - 2);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void requestsBehindConnectionCloseAreRetried(TransportKind transport) throws Exception {
        Line saysClose = (talk, requests) -> {
            talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/0");
            talk.awaitClose();
        };
        List<Script> after = List.of(echoPath(), echoPath(), echoPath());
        onOneLine(transport, saysClose, after, (clients, balancer, backend) -> {
            assertAnswers(clients, 0, 1, 2, 3);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void truncatedResponseFailsOnlyItsExchange(TransportKind transport) throws Exception {
        Line cuts = (talk, requests) -> {
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            talk.close();
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
        CountDownLatch gone = new CountDownLatch(1);
        Line waits = (talk, requests) -> answerAll(talk.await(gone), requests);
        onOneLine(transport, waits, List.of(), (clients, balancer, backend) -> {
            clients.get(0).close();
            clients.get(2).close();
            balancer.await("they are gone", () -> balancer.count(Failure.CLIENT_GONE) == 2);
            gone.countDown();

            assertAnswers(clients, 1, 3);
            balancer.awaitQuietBackends();
        });
    }

    @EachTransport
    void malformedResponseFailsOnlyItsExchange(TransportKind transport) throws Exception {
        Line junk = (talk, requests) -> {
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/0junk");
            talk.awaitClose();
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
        Script saysTooMuch = talk -> {
            talk.readRequest();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/0"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged");
            talk.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(saysTooMuch, echoPath());
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
        Line line = (talk, requests) -> {
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + large.length() + "\r\n\r\n" + large);
            answerAll(talk, requests.subList(1, CLIENTS));
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
        void answer(BackendTalk talk, List<String> requests) throws IOException, InterruptedException;
    }

    @FunctionalInterface
    private interface Outcome {
        void check(List<RawClient> clients, TestBalancer balancer, TestBackend backend) throws Exception;
    }

    /** Each client sends a pipelined GET before the backend answers the first. */
    private static void onOneLine(TransportKind transport, Line line, List<Script> after, Outcome outcome)
            throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        List<Script> scripts = new ArrayList<>();
        scripts.add(talk -> {
            List<String> requests = readAll(talk);
            line.answer(talk.await(all), requests);
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

    private static void answerAll(BackendTalk talk, List<String> requests) throws IOException {
        for (String request : requests) {
            answer(talk, request);
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

    private static List<String> readAll(BackendTalk talk) throws IOException {
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            requests.add(talk.readRequest());
        }
        return requests;
    }

    private static Script echoPath() {
        return talk -> answer(talk, talk.readRequest());
    }

    private static void answer(BackendTalk talk, String request) throws IOException {
        String path = request.split(" ", 3)[1];
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + path.length() + "\r\n\r\n" + path);
    }
}

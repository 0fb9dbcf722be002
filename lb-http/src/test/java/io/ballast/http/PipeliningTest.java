package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.TransportKind;
import io.ballast.http.exchange.Failure;
import io.ballast.http.testing.BackendTalk;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.EachTransport;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Safe requests of several clients, one behind the other on one connection to the backend. */
class PipeliningTest {

    private static final int CLIENTS = 4;

    @EachTransport
    void requestsOfManyClientsShareOneConnectionAndEachGetsItsOwnAnswer(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script inOrder = talk -> {
            List<String> requests = readAll(talk);
            talk.await(all);
            for (String request : requests) {
                answer(talk, request);
            }
        };
        try (TestBackend backend = TestBackend.playing(inOrder);
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();

            for (int i = 0; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            assertThat(backend.connections()).isEqualTo(1);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void unsafeRequestsGetAConnectionOfTheirOwn(TransportKind transport) throws Exception {
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

            for (int i = 0; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            assertThat(backend.connections()).isEqualTo(CLIENTS);
        }
    }

    @EachTransport
    void whenTheBackendClosesInTheMiddleThoseBehindAreSentAgain(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script closesAfterTwo = talk -> {
            List<String> requests = readAll(talk);
            talk.await(all);
            answer(talk, requests.get(0));
            answer(talk, requests.get(1));
            talk.close();
        };
        try (TestBackend backend = TestBackend.playing(closesAfterTwo, echoPath(), echoPath());
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();

            for (int i = 0; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(CLIENTS - 2);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void whenTheBackendSaysThatItClosesThoseBehindAreSentAgain(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script saysClose = talk -> {
            readAll(talk);
            talk.await(all);
            talk.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/0");
            talk.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(saysClose, echoPath(), echoPath(), echoPath());
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();

            for (int i = 0; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void aResponseThatIsCutFailsOnlyTheExchangeThatItBelongsTo(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script cuts = talk -> {
            readAll(talk);
            talk.await(all);
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            talk.close();
        };
        try (TestBackend backend = TestBackend.playing(cuts, echoPath(), echoPath(), echoPath());
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();

            assertThat(clients.get(0).readToEnd()).endsWith("half");
            clients.get(0).close();
            for (int i = 1; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void theAnswerOfAClientThatLeftIsNobodyElses(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script inOrder = talk -> {
            List<String> requests = readAll(talk);
            talk.await(all);
            for (String request : requests) {
                answer(talk, request);
            }
        };
        try (TestBackend backend = TestBackend.playing(inOrder);
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            clients.get(0).close();
            clients.get(2).close();
            balancer.await("they are gone", () -> balancer.count(Failure.CLIENT_GONE) == 2);
            all.countDown();

            assertThat(clients.get(1).read().body()).isEqualTo("/1");
            assertThat(clients.get(3).read().body()).isEqualTo("/3");
            clients.get(1).close();
            clients.get(3).close();
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void aBadResponseFailsOneExchangeAndNothingOfItReachesTheNext(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        Script junk = talk -> {
            readAll(talk);
            talk.await(all);
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n/0junk");
            talk.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(junk, echoPath(), echoPath());
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();

            assertThat(clients.get(0).read().body()).isEqualTo("/0");
            assertThat(clients.get(1).read().status()).isEqualTo(502);
            assertThat(clients.get(2).read().body()).isEqualTo("/2");
            assertThat(clients.get(3).read().body()).isEqualTo("/3");
            for (RawClient client : clients) {
                client.close();
            }
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @EachTransport
    void aClientThatReadsSlowlyHoldsUpThoseBehindItAndNoMore(TransportKind transport) throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        String large = "0123456789".repeat(400_000);
        Script inOrder = talk -> {
            List<String> requests = readAll(talk);
            talk.await(all);
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + large.length() + "\r\n\r\n" + large);
            for (String request : requests.subList(1, CLIENTS)) {
                answer(talk, request);
            }
        };
        try (TestBackend backend = TestBackend.playing(inOrder);
                TestBalancer balancer = pipelining(transport, backend)) {
            List<RawClient> clients = clients(balancer, "GET");
            balancer.await("all were sent", () -> balancer.count(BackendCounter.REQUESTS) == CLIENTS);
            all.countDown();
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));

            assertThat(clients.get(0).read().body().equals(large)).isTrue();
            for (int i = 1; i < CLIENTS; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
            }
            for (RawClient client : clients) {
                client.close();
            }
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
        }
    }

    private static TestBalancer pipelining(TransportKind transport, TestBackend backend) throws Exception {
        return BalancerSetup.on(transport)
                .backend(backend)
                .loops(1)
                .connections(BackendConnections.DEFAULT.withPipelining(CLIENTS))
                .start();
    }

    /** One client after the other, so that their requests stand in the line in this order. */
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

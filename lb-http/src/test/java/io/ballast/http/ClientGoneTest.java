package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.List;

class ClientGoneTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HALF_BODY = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc";

    @EachTransport
    void disconnectBeforeResponseClosesBackendConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send(GET);
                backend.nextRequest();
            }

            backend.awaitConnectionEnd();
            assertAborted(balancer);
        }
    }

    @EachTransport
    void disconnectDuringResponseClosesBackendConnection(TransportKind transport) throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\n\r\n");
            while (connection.isOpen()) {
                connection.send("0123456789".repeat(1_000));
            }
        };
        try (TestBackend backend = TestBackend.playing(endless);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send(GET).readHead();
                assertThat(client.readExactly(1_000_000)).hasSize(1_000_000);
            }

            backend.awaitConnectionEnd();
            assertAborted(balancer);
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(1);
        }
    }

    @EachTransport
    void disconnectDuringRequestBodyClosesBackendConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send(HALF_BODY);
                balancer.await("it is with the backend", () -> backend.bytes() == HALF_BODY.length());
                client.reset();
            }

            backend.awaitConnectionEnd();
            assertAborted(balancer);
            assertThat(backend.requests()).isEmpty();
        }
    }

    @EachTransport
    void disconnectDuringHeadIsCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            try (RawClient client = balancer.client()) {
                client.send("GET / HT");
            }
            balancer.await("it is gone", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == 1);

            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.RESPONSES_4XX)).isZero();
            assertThat(backend.connections()).isZero();
        }
    }

    @EachTransport
    void disconnectBetweenRequestsIsNotCounted(TransportKind transport) throws Exception {
        List<String> sent = List.of("", "\r", "\r\n", GET);
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (String bytes : sent) {
                try (RawClient client = balancer.client()) {
                    client.send(bytes);
                    if (bytes.equals(GET)) {
                        client.read();
                    }
                }
            }
            balancer.await("all are gone", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == sent.size());

            for (Failure failure : Failure.values()) {
                assertThat(balancer.count(failure)).as(failure.label()).isZero();
            }
        }
    }

    @EachTransport
    void manyDisconnectsLeakNothing(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("0123456789".repeat(20_000)));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (int i = 0; i < 60; i++) {
                try (RawClient client = balancer.client()) {
                    client.send(i % 3 == 0 ? HALF_BODY : GET);
                    if (i % 4 == 0) {
                        client.reset();
                    }
                }
            }

            balancer.await(
                    "all are gone",
                    () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED)
                                    == balancer.count(ListenerCounter.CONNECTIONS_OPENED)
                            && balancer.listener().openConnections() == 0);
            balancer.awaitQuietBackends();
            balancer.await("no buffer is in use", () -> balancer.buffersInUse() == 0);
        }
    }

    private static void assertAborted(TestBalancer balancer) {
        balancer.awaitQuiet();
        assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
        assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
        assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
    }
}

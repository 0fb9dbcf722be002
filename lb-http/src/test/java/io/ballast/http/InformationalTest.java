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

class InformationalTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String EXPECTING =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
    private static final String HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @EachTransport
    void expectingClientGetsContinueOfBackend(TransportKind transport) throws Exception {
        Script informational = connection -> {
            String head = connection.readHead();
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + connection.readBody(head));
        };
        try (TestBackend backend = TestBackend.playing(informational);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(EXPECTING).read().undated()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
                assertThat(client.send("body").read().body()).isEqualTo("body");
            }
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.RESPONSES_1XX)).isEqualTo(2);
        }
    }

    @EachTransport
    void rejectedExpectationClosesConnection(TransportKind transport) throws Exception {
        Script refusing = connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno");
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(refusing);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(EXPECTING).read().undated())
                    .isEqualTo("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
        }
    }

    @EachTransport
    void informationalAndFinalResponseMayArriveTogether(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(HINTS + HINTS + OK));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) {
                client.send(GET);

                assertThat(client.read().undated()).isEqualTo(HINTS);
                assertThat(client.read().undated()).isEqualTo(HINTS);
                assertThat(client.read().undated()).isEqualTo(OK);
            }
            assertThat(balancer.count(BackendCounter.RESPONSES_1XX)).isEqualTo(4);
        }
    }

    @EachTransport
    void http10ClientGetsNoInformationalResponse(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(HINTS + OK));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send("GET / HTTP/1.0\r\n\r\n").read().status()).isEqualTo(200);
        }
    }

    @EachTransport
    void unexpectedSwitchingProtocolsIsError(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + OK));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(502);
            backend.awaitConnectionEnd();
            assertThat(backend.nextRequest()).isEqualTo(GET);
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @EachTransport
    void requestIsNotRetriedAfterInformationalResponse(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("1"), Script.answerAndClose(HINTS), Script.ok("2"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("1");

            assertThat(client.send(GET).read().undated()).isEqualTo(HINTS);
            assertThat(client.read().status()).isEqualTo(502);
            assertThat(backend.requests()).hasSize(2);
        }
    }
}

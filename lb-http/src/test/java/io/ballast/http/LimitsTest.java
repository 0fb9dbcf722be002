package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.BindException;

class LimitsTest {

    private static final int BODY_BYTES = 50;

    @EachTransport
    void tooLongHeadsGetSpecificStatus(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = limited(transport, backend)) {
            String line = "GET / HTTP/1.1\r\nHost: a\r\n";

            assertThat(request(balancer, "GET /" + "p".repeat(100) + " HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .isEqualTo(414);
            assertThat(request(balancer, "GET /" + "p".repeat(5_000))).isEqualTo(414);
            assertThat(request(balancer, line + "X: " + "y".repeat(200) + "\r\n\r\n"))
                    .isEqualTo(431);
            assertThat(request(balancer, line + "X: " + "y".repeat(5_000))).isEqualTo(431);
            assertThat(request(balancer, line + "X: y\r\n".repeat(10) + "\r\n")).isEqualTo(431);
            assertThat(request(balancer, line + ("X: " + "y".repeat(180) + "\r\n").repeat(6) + "\r\n"))
                    .isEqualTo(431);
            assertThat(backend.connections()).isZero();
        }
    }

    @EachTransport
    void tooLongDeclaredBodyReachesNoBackend(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = limited(transport, backend)) {

            assertThat(request(balancer, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 51\r\n\r\n" + "x".repeat(51)))
                    .isEqualTo(413);
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.REQUEST_TOO_LARGE)).isEqualTo(1);
            assertThat(request(balancer, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n" + "x".repeat(50)))
                    .isEqualTo(200);
        }
    }

    @EachTransport
    void tooLongStreamedBodyIsCut(TransportKind transport) throws Exception {
        String start =
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n" + "x".repeat(20) + "\r\n";
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = limited(transport, backend);
                RawClient client = balancer.client()) {
            client.send(start);
            balancer.await("the start is with the backend", () -> backend.bytes() == start.length());

            assertThat(client.send("28\r\n" + "x".repeat(40) + "\r\n0\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(413);
            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
            assertThat(backend.requests()).isEmpty();
            assertThat(balancer.count(Failure.REQUEST_TOO_LARGE)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void chunkFramingDoesNotCountAsBody(TransportKind transport) throws Exception {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        String end = "0;a=b\r\nT: " + "u".repeat(BODY_BYTES) + "\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = limited(transport, backend)) {

            assertThat(request(balancer, head + "1\r\nx\r\n".repeat(BODY_BYTES) + end))
                    .isEqualTo(200);
            assertThat(request(balancer, head + "1\r\nx\r\n".repeat(BODY_BYTES + 1) + end))
                    .isEqualTo(413);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @EachTransport
    void connectionsBeyondLimitAreClosed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = limited(transport, backend, /* connections= */ 2);
                RawClient kept = balancer.client()) {
            String get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            assertThat(kept.send(get).read().body()).isEqualTo("ok");
            try (RawClient second = balancer.client()) {
                assertThat(second.send(get).read().body()).isEqualTo("ok");
                try (RawClient third = balancer.client()) {
                    third.endAfterAll();
                }
            }
            balancer.await("the second is gone", () -> balancer.listener().openConnections() == 1);

            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
            assertThat(request(balancer, get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")))
                    .isEqualTo(200);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(3);
        }
    }

    private static TestBalancer limited(TransportKind transport, TestBackend backend) throws BindException {
        return limited(transport, backend, /* connections= */ 100);
    }

    private static TestBalancer limited(TransportKind transport, TestBackend backend, int connections)
            throws BindException {
        ClientLimits limits = new ClientLimits(100, 200, 1_000, 10, BODY_BYTES, connections);
        return BalancerSetup.on(transport).backend(backend).limits(limits).start();
    }

    private static int request(TestBalancer balancer, String request) {
        try (RawClient client = balancer.client()) {
            RawResponse response = client.send(request).read();
            if (response.status() >= 400) {
                assertThat(response.header("Connection")).isEqualTo("close");
                assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            }
            return response.status();
        }
    }
}

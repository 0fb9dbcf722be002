package io.ballast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which requests may use an existing connection: {@code connections.reuse}. */
class ConnectionReuseTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";

    /** Closes the connection when the second request arrives, like a backend whose idle timeout expires. */
    private static final Script CLOSING_AT_THE_SECOND = connection -> {
        connection.readRequest();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        connection.readRequest();
        connection.close();
    };

    @EachTransport
    void safeProtectsFirstNonIdempotentRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(CLOSING_AT_THE_SECOND, Script.ok("fresh"));
                TestBalancer balancer = on(transport, ConnectionReuse.SAFE, backend);
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();

            assertThat(client.send(POST).read().body()).isEqualTo("fresh");
        }
    }

    @EachTransport
    void alwaysMayLoseFirstRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(CLOSING_AT_THE_SECOND, Script.ok("fresh"));
                TestBalancer balancer = on(transport, ConnectionReuse.ALWAYS, backend);
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();

            assertThat(client.send(POST).read().status()).isEqualTo(502);
            assertThat(balancer.count(Failure.RESET_BEFORE_RESPONSE)).isEqualTo(1);
        }
    }

    @Test
    void safeReusesConnectionsForLaterRequests() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = on(TransportKind.NIO, ConnectionReuse.SAFE, backend);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(POST).read();
            }

            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ConnectionReuse.class,
            names = {"ALWAYS", "SAFE"})
    void firstIdempotentRequestReusesConnection(ConnectionReuse reuse) throws Exception {
        try (TestBackend backend = TestBackend.playing(CLOSING_AT_THE_SECOND, Script.ok("again"));
                TestBalancer balancer = on(TransportKind.NIO, reuse, backend);
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();

            assertThat(client.send(GET).read().body()).isEqualTo("again");
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(1);
        }
    }

    /** Ballast cannot retry a request whose body may be too long for {@code retry.body_buffer}. */
    @ParameterizedTest
    @EnumSource(RequestBody.class)
    void firstRequestWithUnbufferedBodyUsesNewConnection(RequestBody body) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = on(TransportKind.NIO, ConnectionReuse.SAFE, backend);
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();

            client.send("PUT / HTTP/1.1\r\nHost: a\r\n" + body.text).read();

            assertThat(backend.connections()).isEqualTo(body.isKept ? 1 : 2);
        }
    }

    private enum RequestBody {
        SHORT("Content-Length: 2\r\n\r\nhi", /* isKept= */ true),
        LONG(
                "Content-Length: " + (RetryConfig.DEFAULT.bodyBufferBytes() + 1) + "\r\n\r\n"
                        + "x".repeat(RetryConfig.DEFAULT.bodyBufferBytes() + 1),
                /* isKept= */ false),
        IN_CHUNKS("Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", /* isKept= */ false);

        private final String text;
        private final boolean isKept;

        RequestBody(String text, boolean isKept) {
            this.text = text;
            this.isKept = isKept;
        }
    }

    @Test
    void firstHttp2StreamCountsAsFirstRequest() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = on(TransportKind.NIO, ConnectionReuse.SAFE, backend);
                RawClient before = balancer.client();
                Http2Client client = Http2Client.connect(balancer.port())) {
            before.send(GET).read();

            post(client);
            assertThat(backend.connections()).isEqualTo(2);
            post(client);
            post(client);
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    private static void post(Http2Client client) {
        int stream = client.post("/", "content-length", "2");
        client.send(FrameBytes.data(stream, /* ends= */ true, "hi".getBytes(US_ASCII)));
        assertThat(client.read(stream).body()).isEqualTo("ok");
    }

    @Test
    void firstRequestUsesNewHttp2Connection() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).reuse(ConnectionReuse.SAFE))
                        .backend(backend.address())
                        .start();
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();
            assertThat(client.send(POST).read().body()).isEqualTo("ok");
            assertThat(backend.connections()).isEqualTo(2);
            client.send(POST).read();
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    @Test
    void retryUsesNewConnectionAtOtherBackend() throws Exception {
        try (TestBackend backend = TestBackend.playing(CLOSING_AT_THE_SECOND, Script.ok("fresh"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(new Connections().reuse(ConnectionReuse.SAFE))
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start()) {
            try (RawClient before = balancer.client()) {
                before.send(GET).read();
            }
            for (int i = 0; i < 2; i++) { // one request tries the unreachable backend first
                try (RawClient client = balancer.client()) {
                    assertThat(client.send(POST).read().body()).isEqualTo("fresh");
                }
            }
        }
    }

    @Test
    void newConnectionRespectsMaxConnections() throws Exception {
        try (TestBackend backend = TestBackend.playing(CLOSING_AT_THE_SECOND, Script.ok("fresh"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(
                                new Connections().reuse(ConnectionReuse.SAFE).maxConnections(1))
                        .backend(backend)
                        .start();
                RawClient before = balancer.client();
                RawClient client = balancer.client()) {
            before.send(GET).read();

            assertThat(client.send(POST).read().body()).isEqualTo("fresh");
        }
    }

    @EachTransport
    void neverUsesNewConnectionForEachRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = on(transport, ConnectionReuse.NEVER, backend);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
            }

            assertThat(backend.connections()).isEqualTo(3);
            assertThat(balancer.count(BackendCounter.REUSES)).isZero();
        }
    }

    private static TestBalancer on(TransportKind transport, ConnectionReuse reuse, TestBackend backend)
            throws Exception {
        return BalancerSetup.on(transport)
                .loops(1)
                .connections(new Connections().reuse(reuse))
                .backend(backend)
                .start();
    }
}

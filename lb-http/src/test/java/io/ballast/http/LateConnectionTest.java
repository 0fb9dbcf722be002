package io.ballast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendTls;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.testing.Transports;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests a backend connection that becomes ready after its request was cancelled, while the same exchange object serves
 * the client's next request. That request must not get the connection, and no other request may end up in its body. The
 * backend delays its TLS handshake until the test allows it.
 */
class LateConnectionTest {

    private static final TestCertificate CERTIFICATE = TestCertificate.create();
    private static final String BODY_PART = "AAAAAAAAAA";
    /** Exchange timeout, long enough for the client's next request to wait before the first request times out. */
    private static final Duration EXCHANGE = Duration.ofSeconds(1);

    /** Data received by each connection. */
    private final List<AtomicReference<String>> received = new CopyOnWriteArrayList<>();

    private final CountDownLatch handshakes = new CountDownLatch(1);

    private enum Reuse {
        ONE_REQUEST_AT_A_TIME(new Connections()),
        PIPELINED(new Connections().pipelining(4)),
        LIMITED(new Connections().maxConnections(2));

        private final Connections settings;

        Reuse(Connections settings) {
            this.settings = settings.connectTimeout(TestTimeout.LIMIT);
        }
    }

    private static List<Object[]> everyReuseOnEveryTransport() {
        List<Object[]> all = new ArrayList<>();
        for (TransportKind transport : Transports.available()) {
            for (Reuse reuse : Reuse.values()) {
                all.add(new Object[] {transport, reuse});
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyReuseOnEveryTransport")
    void lateConnectionOfResetStreamIsNotUsedByNextHttp2Request(TransportKind transport, Reuse reuse) throws Exception {
        try (TestBackend backend = TestBackend.accepting(this::serve);
                TestBalancer balancer = before(backend, transport, reuse, ClientDeadlines.DEFAULT)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int given = client.get("/first");
            balancer.await("the first connection is being made", () -> backend.connections() == 1);
            client.send(FrameBytes.reset(given, ErrorCode.CANCEL.ordinal())).sync();
            int post = client.post("/post", "content-length", "1000");
            client.send(FrameBytes.data(post, /* ends= */ false, BODY_PART.getBytes(US_ASCII)))
                    .sync();

            assertThatTheVictimIsServedApart(balancer);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyReuseOnEveryTransport")
    void lateConnectionOfTimedOutRequestIsNotUsedByNextRequest(TransportKind transport, Reuse reuse) throws Exception {
        ClientDeadlines all = ClientDeadlines.DEFAULT;
        ClientDeadlines soon = new ClientDeadlines(
                all.requestHead(),
                all.requestBodyIdle(),
                all.responseIdle(),
                all.keepAlive(),
                EXCHANGE,
                all.minimumRate(),
                all.tunnelIdle());
        try (TestBackend backend = TestBackend.accepting(this::serve);
                TestBalancer balancer = before(backend, transport, reuse, soon).start();
                RawClient client = balancer.client()) {
            client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(504);
            client.send("POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + BODY_PART);
            balancer.await("the next request asks for a connection", () -> backend.connections() == 2);

            assertThatTheVictimIsServedApart(balancer);
        }
    }

    private void assertThatTheVictimIsServedApart(TestBalancer balancer) {
        handshakes.countDown();
        balancer.await("a connection is ready", () -> balancer.count(BackendCounter.CONNECTS) > 0);
        try (RawClient victim = balancer.client()) {
            victim.send("GET /victim HTTP/1.1\r\nHost: a\r\nCookie: secret=1\r\n\r\n");

            assertThat(victim.read().body()).isEqualTo("/victim");
        }
        assertThat(received)
                .filteredOn(each -> each.get().contains("GET /victim"))
                .hasSize(1);
        assertThat(received)
                .noneMatch(
                        each -> each.get().contains("POST /post") && each.get().contains("GET /victim"));
    }

    private BalancerSetup before(TestBackend backend, TransportKind transport, Reuse reuse, ClientDeadlines deadlines) {
        BackendTls anyCertificate =
                new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true);
        return BalancerSetup.on(transport)
                .loops(1)
                .deadlines(deadlines)
                .connections(reuse.settings)
                .backendTls(anyCertificate)
                .backend(backend);
    }

    /** Answers requests without a body. If a request has a body, reads all following data as that body. */
    private void serve(ScriptedConnection plain) throws IOException, InterruptedException {
        ScriptedConnection connection = plain.await(handshakes).secure(CERTIFICATE.server());
        AtomicReference<String> all = new AtomicReference<>("");
        received.add(all);
        while (true) {
            String head = connection.readHead();
            all.set(all.get() + head);
            if (head.startsWith("POST")) {
                while (true) {
                    all.set(all.get() + (char) connection.readExactly(1)[0]);
                }
            }
            String path = head.split(" ", 3)[1];
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + path.length() + "\r\n\r\n" + path);
        }
    }
}

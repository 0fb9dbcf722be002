package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests pools with protocol {@code auto}. */
class BackendChoiceOfProtocolTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @EachTransport
    void usesHttp2WhenNegotiated(TransportKind transport) throws Exception {
        try (Http2TestBackend backend =
                        Http2TestBackend.playing(Http2Script.ok("hello")).by(CERTIFICATE.server(), "h2", "http/1.1");
                TestBalancer balancer =
                        auto(transport).backend(backend.address()).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }
            assertThat(backend.nextRequest().header(":scheme")).isEqualTo("https");
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void usesHttp1WithoutNegotiatedProtocol(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(CERTIFICATE.server());
                TestBalancer balancer = auto(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(2);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void usesHttp1WithoutTls(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(BackendProtocol.AUTO)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(backend.nextRequest()).startsWith("GET / HTTP/1.1\r\n");
        }
    }

    @Test
    void waitersGetOwnConnectionWhenHttp1IsNegotiated() throws Exception {
        CountDownLatch all = new CountDownLatch(3);
        Script together = connection -> {
            connection.readRequest();
            all.countDown();
            all.await();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        };
        try (TestBackend backend = TestBackend.playing(together).by(CERTIFICATE.server());
                TestBalancer balancer = auto(TransportKind.NIO).backend(backend).start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(balancer.client().send(GET));
            }
            for (RawClient client : clients) {
                assertThat(client.read().body()).isEqualTo("hi");
                client.close();
            }
            assertThat(backend.connections()).isEqualTo(3);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void connectionStartedBeforeReloadIsNotReused(TransportKind transport) throws Exception {
        CountDownLatch reloaded = new CountDownLatch(1);
        Script late = connection -> {
            connection.await(reloaded);
            ScriptedConnection secured = connection.secure(CERTIFICATE.server());
            secured.readRequest();
            secured.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").awaitClose();
        };
        try (TestBackend backend = TestBackend.accepting(late)) {
            Connections longTimeouts =
                    new Connections().connectTimeout(TestTimeout.LIMIT).protocol(BackendProtocol.AUTO);
            BalancerSetup setup = auto(transport).connections(longTimeouts).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = balancer.client().send(GET)) {
                balancer.await("it connects", () -> backend.connections() == 1);

                balancer.reload(setup.connections(longTimeouts.responseTimeout(Duration.ofSeconds(7))));
                reloaded.countDown();

                assertThat(client.read().body()).isEqualTo("hi");
                backend.awaitConnectionEnd();
            }
        }
    }

    @Test
    void protocolIsNegotiatedForEachConnection() throws Exception {
        Http2Script once = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "two");
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(once, connection -> connection.http1("one"), once)
                        .byTurns(CERTIFICATE.server(), "h2", "http/1.1", "h2");
                TestBalancer balancer = auto(TransportKind.NIO)
                        .connections(
                                new Connections().protocol(BackendProtocol.AUTO).maxAge(Duration.ofNanos(1)))
                        .backend(backend.address())
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("two");
            assertThat(client.send(GET).read().body()).isEqualTo("one");
            assertThat(client.send(GET).read().body()).isEqualTo("two");
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(3);
        }
    }

    /** Only WebSocket requests use HTTP/1.1; all other requests continue to use HTTP/2 (RFC 8441 section 3). */
    @EachTransport
    void webSocketUsesHttp1IfHttp2BackendLacksSupport(TransportKind transport) throws Exception {
        Http2Script two = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "two").answer(connection.nextRequest(), "two");
            connection.readToEnd();
        };
        Http2Script withoutTunnels = connection -> {
            connection.begin();
            connection.readToEnd();
        };
        Http2Script switching = connection -> {
            assertThat(connection.readHttp1Head()).isEqualTo(Upgrades.FORWARDED);
            connection.send((Upgrades.SWITCH + "hi").getBytes(StandardCharsets.US_ASCII));
            connection.close();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(two, withoutTunnels, switching)
                        .by(CERTIFICATE.server(), "h2", "http/1.1");
                TestBalancer balancer =
                        auto(transport).backend(backend.address()).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("two");
            for (int i = 0; i < 2; i++) {
                try (RawClient socket = balancer.client()) {
                    assertThat(socket.send(Upgrades.REQUEST).readHead()).isEqualTo(Upgrades.SWITCH);
                    assertThat(socket.readExactly(2)).isEqualTo("hi");
                }
            }
            assertThat(client.send(GET).read().body()).isEqualTo("two");
            assertThat(balancer.count(Failure.TUNNEL_UNSUPPORTED)).isZero();
        }
    }

    @Test
    void unsupportedWebSocketIsNoConnectFailure() throws Exception {
        Http2Script two = connection -> {
            connection.begin();
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(two).by(CERTIFICATE.server(), "h2");
                TestBalancer balancer =
                        auto(TransportKind.NIO).backend(backend.address()).start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(client.send(Upgrades.REQUEST).read().status()).isEqualTo(502);
                }
            }
            assertThat(balancer.count(Failure.TUNNEL_UNSUPPORTED)).isEqualTo(2);
            assertThat(balancer.connectErrors()).isEmpty();
        }
    }

    /**
     * New backends reuse the ids of removed backends. A removed backend that needs HTTP/1.1 for WebSockets must not
     * affect a new backend with the same id, which supports only HTTP/2.
     */
    @Test
    void removedBackendDoesNotAffectReusedId() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        Http2Script lateSettings = connection -> {
            connection.readPreface().await(late);
            connection.send(FrameBytes.settings());
            connection.readToEnd();
        };
        Http2Script switching = connection -> {
            connection.readHttp1Head();
            connection.send(Upgrades.SWITCH.getBytes(StandardCharsets.US_ASCII));
            connection.close();
        };
        try (Http2TestBackend former =
                        Http2TestBackend.playing(lateSettings, switching).by(CERTIFICATE.server(), "h2", "http/1.1");
                Http2TestBackend between =
                        Http2TestBackend.playing(lateSettings).by(CERTIFICATE.server(), "h2");
                Http2TestBackend present = Http2TestBackend.playing(WebSockets.taking((connection, request) -> {}))
                        .by(CERTIFICATE.server(), "h2");
                TestBalancer balancer = auto(TransportKind.NIO)
                        .connections(new Connections()
                                .protocol(BackendProtocol.AUTO)
                                .responseTimeout(TestTimeout.LIMIT.multipliedBy(2)))
                        .backend(former.address())
                        .start();
                RawClient waiting = balancer.client()) {
            int id = balancer.backend(0).id();
            waiting.send(Upgrades.REQUEST);
            balancer.await("it connects", () -> former.connections() == 1);

            balancer.reload(auto(TransportKind.NIO).backend(between.address()));
            balancer.reload(auto(TransportKind.NIO).backend(present.address()));
            assertThat(balancer.backend(0).id()).isEqualTo(id);
            assertThatAWebSocketOpens(balancer);
            late.countDown();
            assertThat(waiting.readHead()).startsWith("HTTP/1.1 101 ");

            assertThatAWebSocketOpens(balancer);
        }
    }

    private static void assertThatAWebSocketOpens(TestBalancer balancer) {
        try (RawClient client = balancer.client()) {
            assertThat(client.send(Upgrades.REQUEST).readHead()).startsWith("HTTP/1.1 101 ");
        }
    }

    private BalancerSetup auto(TransportKind transport) throws IOException {
        BackendTls tls = new BackendTls(
                Optional.of(CERTIFICATE.write(directory).certificate()),
                Optional.empty(),
                Optional.empty(),
                /* insecure= */ false);
        return BalancerSetup.on(transport)
                .loops(1)
                .protocol(BackendProtocol.AUTO)
                .backendTls(tls);
    }
}

package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which WebSocket requests reach HTTP/2 backends, and which responses are valid (RFC 8441). */
class ExtendedConnectTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String SWITCH = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket"
            + "\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nsec-websocket-protocol: chat"
            + "\r\nConnection: Upgrade\r\n\r\n";
    private static final int ALLOWED = Setting.ENABLE_CONNECT_PROTOCOL;

    @Test
    void upgradeIsTranslatedToExtendedConnect() throws Exception {
        CompletableFuture<Http2Request> pending = new CompletableFuture<>();
        Http2Script echo = connection -> {
            connection.begin(ALLOWED, 1);
            Http2Request request = connection.nextHead();
            pending.complete(request);
            connection.head(
                    request,
                    /* ends= */ false,
                    ":status",
                    "200",
                    "sec-websocket-accept",
                    "x",
                    "content-length",
                    "7",
                    "sec-websocket-protocol",
                    "chat");
            connection.echo(request).readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(echo);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).readHead()).isEqualTo(SWITCH);
            assertThat(pending.join().head())
                    .containsExactly(
                            ":method: CONNECT",
                            ":protocol: websocket",
                            ":scheme: http",
                            ":authority: a",
                            ":path: /chat",
                            "sec-websocket-version: 13");
            assertThat(client.send("ping").readExactly(4)).isEqualTo("ping");
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isZero();
            assertThat(client.finishSending().readToEnd()).isEmpty();
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(1);
        }
    }

    @Test
    void clientConnectIsForwardedAsConnect() throws Exception {
        CompletableFuture<Http2Request> pending = new CompletableFuture<>();
        Http2Script echo = WebSockets.taking((connection, request) -> {
            pending.complete(request);
            connection.echo(request);
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(echo);
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            assertThat(pending.join().head())
                    .containsExactly(
                            ":method: CONNECT",
                            ":protocol: websocket",
                            ":scheme: http",
                            ":authority: a",
                            ":path: /chat",
                            "sec-websocket-version: 13");
            Http2Response response = client.response(stream);
            assertThat(response.head().stream().filter(field -> !field.startsWith("date")))
                    .containsExactly(":status: 200");
            client.upload(stream, /* ends= */ true, "ping".getBytes(StandardCharsets.US_ASCII));
            assertThat(client.read(stream).body()).isEqualTo("ping");
            assertThat(response.isComplete()).isTrue();
        }
    }

    @Test
    void nothingIsForwardedBeforeResponse() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<String> before = new CompletableFuture<>();
        Http2Script late = connection -> {
            connection.begin(ALLOWED, 1);
            Http2Request request = connection.nextHead();
            connection.await(held).sync();
            before.complete(request.body() + request.isEnded());
            connection
                    .head(request, /* ends= */ false, ":status", "200")
                    .echo(request)
                    .readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(late);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST + "early ", "and more");
            balancer.goRound();
            held.countDown();

            assertThat(client.readHead()).startsWith("HTTP/1.1 101 ");
            assertThat(before.join()).isEqualTo("false");
            assertThat(client.finishSending().readToEnd()).isEqualTo("early and more");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherResponseIsForwarded(boolean hasBody) throws Exception {
        Http2Script refusing = connection -> {
            connection.begin(ALLOWED, 1);
            Http2Request request = connection.nextHead();
            connection.head(request, !hasBody, ":status", "403", "x", "y");
            if (hasBody) {
                connection.data(request, /* ends= */ true, "no");
            }
            connection.await("the end of the request", () -> request.isEnded() || request.resetCode() >= 0);
            if (!request.isEnded() || request.bodyBytes() > 0) {
                throw new AssertionError("reset with " + request.resetCode());
            }
            connection.answer(connection.nextRequest(), "next").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(refusing);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            RawResponse response = client.send(Upgrades.REQUEST).read();

            assertThat(response.status()).isEqualTo(403);
            assertThat(response.header("x")).isEqualTo("y");
            assertThat(response.body()).isEqualTo(hasBody ? "no" : "");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("next");
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isZero();
        }
    }

    @Test
    void backendWithoutExtendedConnectCauses502() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("plain"));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {

            assertThat(client.send(Upgrades.REQUEST).read().status()).isEqualTo(502);
            assertThat(second.read(WebSockets.request(second)).status()).isEqualTo(502);
            assertThat(balancer.count(Failure.TUNNEL_UNSUPPORTED)).isEqualTo(2);
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("plain");
            assertThat(backend.nextRequest().header(":method")).isEqualTo("GET");
            assertThat(backend.connections()).isEqualTo(1);
            balancer.awaitQuietBackends();
        }
    }

    @Test
    void otherBackendMayAcceptConnect() throws Exception {
        try (Http2TestBackend plain = Http2TestBackend.playing(Http2Script.ok("plain"));
                Http2TestBackend willing =
                        Http2TestBackend.playing(WebSockets.taking((connection, request) -> connection.echo(request)));
                TestBalancer balancer = Http2Balancers.before(plain, willing).start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(client.send(Upgrades.REQUEST).readHead()).startsWith("HTTP/1.1 101 ");
                    client.finishSending().readToEnd();
                }
                if (i == 0) {
                    willing.resetConnections(); // the script of this backend allows one stream
                }
            }
            assertThat(balancer.count(Failure.TUNNEL_UNSUPPORTED)).isZero();
        }
    }

    @Test
    void connectWaitsForSettings() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Http2Script late = connection -> {
            connection.keepingAcks().readPreface();
            Http2Request plain = connection.nextRequest();
            connection.await(held);
            connection.send(FrameBytes.settings(ALLOWED, 1), FrameBytes.frame(Frame.SETTINGS, Frame.ACK, 0));
            connection.answer(plain, "plain");
            Http2Request request = connection.nextHead();
            connection
                    .head(request, /* ends= */ false, ":status", "200")
                    .echo(request)
                    .readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(late);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            client.send(Upgrades.REQUEST);
            balancer.await("it waits", () -> balancer.backend(0).inFlight().count() == 1);
            other.send(GET);
            backend.nextRequest();
            held.countDown();

            assertThat(other.read().body()).isEqualTo("plain");
            assertThat(client.readHead()).startsWith("HTTP/1.1 101 ");
            assertThat(client.send("x").readExactly(1)).isEqualTo("x");
            client.finishSending().readToEnd(); // otherwise the connection may end before the stream
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Key: \r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZ===\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25*ZQ==\r\n",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            })
    void invalidUpgradeIsBadRequest(String key) throws Exception {
        String request = Upgrades.REQUEST.replaceFirst("Sec-WebSocket-Key: \\S+\r\n", key);
        Http2Script willing = Http2Script.ok("plain", ALLOWED, 1);
        try (Http2TestBackend backend = Http2TestBackend.playing(willing);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {

            assertThat(client.send(request).read().status()).isEqualTo(400);
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("plain");
            assertThat(backend.nextRequest().header(":method")).isEqualTo("GET");
            balancer.awaitQuietBackends();
        }
    }

    @Test
    void worksThroughTwoBalancers() throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo(), WebSockets.echo());
                TestBalancer inner =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                TestBalancer outer = BalancerSetup.on(TransportKind.NIO)
                        .protocol(BackendProtocol.H2C)
                        .backend(new HostPort("127.0.0.1", inner.port()))
                        .start();
                RawClient first = outer.client();
                Http2Client second = Http2Client.connect(outer.port())) {
            assertThat(first.send(Upgrades.REQUEST).readHead()).startsWith("HTTP/1.1 101 ");
            int stream = WebSockets.open(second);
            second.upload(stream, /* ends= */ true, "two".getBytes(StandardCharsets.US_ASCII));

            assertThat(first.send("one").finishSending().readToEnd()).isEqualTo("one");
            assertThat(second.read(stream).body()).isEqualTo("two");
            outer.awaitQuietBackends();
            inner.awaitQuietBackends();
            assertThat(inner.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(2);
        }
    }
}

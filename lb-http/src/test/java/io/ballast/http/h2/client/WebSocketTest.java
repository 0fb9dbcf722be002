package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which HTTP/2 requests open a WebSocket, and which responses are valid (RFC 8441). */
class WebSocketTest {

    @EachTransport
    void extendedConnectIsTranslatedToUpgrade(TransportKind transport) throws Exception {
        byte[] head = WebSockets.head(
                "sec-websocket-protocol", "chat",
                "sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==",
                "sec-websocket-accept", "x",
                "origin", "https://a",
                "cookie", "a=b");
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {

            int stream = WebSockets.request(client, head);
            client.await("a head", () -> client.response(stream).status() != 0);

            String request = backend.nextRequest();
            assertThat(request)
                    .isEqualTo("GET /chat HTTP/1.1\r\nhost: a\r\nsec-websocket-key: " + WebSockets.key(request)
                            + "\r\nsec-websocket-version: 13\r\nsec-websocket-protocol: chat\r\norigin: https://a"
                            + "\r\ncookie: a=b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(WebSockets.key(request)).hasSize(24).isNotEqualTo("dGhlIHNhbXBsZSBub25jZQ==");
            Http2Response response = client.response(stream);
            assertThat(response.header("date")).isNotNull();
            assertThat(response.head().stream().filter(field -> !field.startsWith("date")))
                    .containsExactly(":status: 200", "sec-websocket-protocol: chat");
            client.send(FrameBytes.data(stream, /* ends= */ false, bytes("ping")));
            client.await("an echo", () -> response.body().equals("ping"));
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.UPGRADES_IGNORED)).isZero();
        }
    }

    @Test
    void eachRequestHasOwnKey() throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo(), WebSockets.echo());
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            WebSockets.open(client);
            WebSockets.open(client);

            List<String> requests = backend.requests();
            assertThat(WebSockets.key(requests.get(0))).isNotEqualTo(WebSockets.key(requests.get(1)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"websocket", ""})
    void settingsAdvertiseExtendedConnect(String upgrade) throws Exception {
        String[] upgrades = upgrade.isEmpty() ? new String[0] : new String[] {upgrade};
        String expected = "\0\u0008\0\0\0" + (upgrade.isEmpty() ? '\0' : '\u0001');
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .upgrades(upgrades)
                        .start();
                RawClient client = balancer.client()) {
            client.send(FrameBytes.PREFACE + new String(FrameBytes.settings(), StandardCharsets.ISO_8859_1));

            String header = client.readExactly(9);
            assertThat(header.charAt(3)).isEqualTo((char) 4);
            String settings = client.readExactly(header.charAt(2));
            assertThat(settings.length() % Setting.BYTES).isZero();
            assertThat(settings).endsWith(expected);
        }
    }

    @EachTransport
    void nothingIsForwardedBeforeSwitch(TransportKind transport) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Script late = connection -> {
            String request = connection.readRequest();
            connection.await(held).send(WebSockets.answer(request));
            connection.echo();
            connection.close();
        };
        try (TestBackend backend = TestBackend.playing(late);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            byte[] head = FrameBytes.headers(stream, /* ends= */ false, WebSockets.head());
            client.send(head, FrameBytes.data(stream, /* ends= */ false, bytes("early ")));
            int length = backend.nextRequest().length();
            client.send(FrameBytes.data(stream, /* ends= */ true, bytes("and more")))
                    .sync();
            assertThat(client.response(stream).status()).isZero();
            assertThat(backend.bytes()).isEqualTo(length);
            held.countDown();

            assertThat(client.read(stream).body()).isEqualTo("early and more");
            assertThat(client.response(stream).isComplete()).isTrue();
        }
    }

    /** Before the protocol switch, the balancer buffers exactly one window of data. */
    @Test
    void windowLimitsEarlyData() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Script late = connection -> {
            String request = connection.readRequest();
            connection.await(held).send(WebSockets.answer(request));
            connection.echo();
            connection.close();
        };
        byte[] early = bytes("x".repeat(Http2Connection.STREAM_WINDOW));
        try (TestBackend backend = TestBackend.playing(late);
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.sync();
            int stream = WebSockets.request(client);
            client.upload(stream, /* ends= */ false, early).sync();
            assertThat(client.mayUpload(stream)).isZero();
            held.countDown();

            client.await("a window again", () -> client.mayUpload(stream) > 0);
            client.await("all of it", () -> client.response(stream).bytes().length == early.length);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
                "Sec-WebSocket-Accept: \r\n",
                "Sec-WebSocket-Accept: %1$s\r\nSec-WebSocket-Accept: %1$s\r\n",
                "Sec-WebSocket-Accept: %1$s, %1$s\r\n",
            })
    void switchWithWrongKeyIsError(String accept) throws Exception {
        Script wrong = connection -> {
            String good = WebSockets.answer(connection.readRequest());
            String value = good.replaceAll("(?s).*Accept: (\\S+).*", "$1");
            connection
                    .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + String.format(accept, value) + "\r\n")
                    .awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(wrong);
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.request(client);

            assertThat(client.read(stream).status()).isEqualTo(502);
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isZero();
        }
    }

    @EachTransport
    void otherResponseIsForwarded(TransportKind transport) throws Exception {
        Script refusing = Script.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX: y\r\n\r\nno");
        try (TestBackend backend = TestBackend.playing(refusing);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            client.send(
                    FrameBytes.headers(stream, /* ends= */ false, WebSockets.head()),
                    FrameBytes.data(stream, /* ends= */ true, bytes("early")));

            Http2Response response = client.read(stream);
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.header("x")).isEqualTo("y");
            assertThat(response.body()).isEqualTo("no");
            assertThat(backend.bytes()).isEqualTo(backend.nextRequest().length());
            assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isZero();
        }
    }

    /** The client would treat the response as an accepted tunnel, and its body as tunnel data. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 204 No Content\r\n\r\n"})
    void successWithoutSwitchIsError(String answer) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(answer));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .respond("/fixed", 200, "hi")
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(WebSockets.request(client)).status()).isEqualTo(502);
            byte[] fixed = head("CONNECT", "websocket", "http", "/fixed", "a");
            assertThat(client.read(WebSockets.request(client, fixed)).status()).isEqualTo(502);
            assertThat(balancer.count(Failure.UPGRADE_REFUSED)).isEqualTo(2);
            assertThat(client.read(client.get("/fixed")).body()).isEqualTo("hi");
            balancer.awaitQuietBackends();
        }
    }

    @Test
    void otherProtocolsCause501() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .upgrades("websocket", "connect-udp")
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            byte[] head = head("CONNECT", "connect-udp", "http", "/", "a");

            assertThat(client.read(WebSockets.request(client, head)).status()).isEqualTo(501);
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void malformedConnectIsReset(byte[] head) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.request(client, head);

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(backend.connections()).isZero();
            client.sync();
        }
    }

    static Stream<byte[]> malformed() {
        byte[] good = WebSockets.head();
        return Stream.of(
                head("GET", "websocket", "http", "/", "a"),
                head("connect", "websocket", "http", "/", "a"),
                head("CONNECT", "", "http", "/", "a"),
                head("CONNECT", "web socket", "http", "/", "a"),
                head("CONNECT", "websocket", "ftp", "/", "a"),
                head("CONNECT", "websocket", "http", "*", "a"),
                head("CONNECT", "websocket", "http", "http://b/", "a"),
                FrameBytes.block(":method", "CONNECT", ":protocol", "websocket", ":scheme", "http", ":path", "/"),
                FrameBytes.block(":method", "CONNECT", ":protocol", "websocket", ":scheme", "http", ":authority", "a"),
                FrameBytes.block(":method", "CONNECT", ":protocol", "websocket", ":path", "/", ":authority", "a"),
                FrameBytes.block(":method", "CONNECT", ":protocol", "websocket", ":authority", "a"),
                FrameBytes.join(good, FrameBytes.block(":protocol", "websocket")),
                FrameBytes.join(FrameBytes.block(":protocol", "websocket"), good),
                WebSockets.head("content-length", "0"),
                WebSockets.head("host", "b"),
                WebSockets.head("upgrade", "websocket"),
                WebSockets.head("connection", "upgrade"));
    }

    @Test
    void connectIsMalformedWhenDisabled() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .upgrades("spdy/3.1")
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(WebSockets.request(client)).resetCode())
                    .isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(backend.connections()).isZero();
        }
    }

    private static byte[] head(String method, String protocol, String scheme, String path, String authority) {
        return FrameBytes.block(
                ":method", method, ":protocol", protocol, ":scheme", scheme, ":path", path, ":authority", authority);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}

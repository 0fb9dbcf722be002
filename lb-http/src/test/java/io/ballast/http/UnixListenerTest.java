package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.net.Cidr;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.UnixStream;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.SocketFile;
import io.ballast.net.config.TransportKind;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests clients on a Unix socket, which have no address. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class UnixListenerTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String PROXY = "PROXY TCP4 192.0.2.7 192.0.2.1 4711 443\r\n";

    @TempDir
    private Path directory;

    private UnixSocket address;

    @BeforeEach
    void place() {
        address = new UnixSocket(directory.resolve("web.sock").toString());
    }

    private BalancerSetup setup() {
        return BalancerSetup.on(TransportKind.EPOLL).bind(address, SocketFile.DEFAULT);
    }

    private BalancerSetup tcp() {
        return setup().protocol(ListenerProtocol.TCP);
    }

    @Test
    void servesSequentialRequests() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("one"), Script.ok("two"));
                TestBalancer balancer = setup().backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("one");
            assertThat(client.send(GET).read().body()).isEqualTo("two");
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
        }
    }

    @Test
    void clientHasNoForwardedAddress() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup().backend(backend)
                        .forwarding(Forwarding.OVERWRITE)
                        .forwardingHeaders(EnumSet.allOf(ForwardingHeader.class))
                        .start();
                RawClient client = balancer.client()) {
            String request =
                    "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\nForwarded: for=192.0.2.1\r\n\r\n";

            assertThat(client.send(request).read().body())
                    .doesNotContain("X-Forwarded-For", "X-Forwarded-Port", "192.0.2.1")
                    .contains("X-Forwarded-Proto: http\r\n", "X-Forwarded-Host: a\r\n")
                    .contains("Forwarded: for=unknown;proto=http;host=\"a\"\r\n");
        }
    }

    @Test
    void appendsUnknownAddress() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        setup().backend(backend).forwarding(Forwarding.APPEND).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).doesNotContain("X-Forwarded-For");
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
                            .read()
                            .body())
                    .contains("X-Forwarded-For: 192.0.2.1, unknown\r\n");
        }
    }

    @Test
    void servesHttp2WithPriorKnowledge() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup().backend(backend).start();
                Http2Client client = Http2Client.on(UnixStream.connect(address))) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
        }
    }

    @Test
    void halfClosedClientReceivesRest() throws Exception {
        try (TestBackend backend = TestBackend.accepting(TcpScripts.answersAfterTheEnd());
                TestBalancer balancer = tcp().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("0123456789").finishSending();

            assertThat(client.readToEnd()).isEqualTo("got 10");
        }
    }

    @Test
    void clientMaySendAfterResponseEnd() throws Exception {
        Script readsAfterItsEnd = connection -> {
            connection.send("bye").finishSending();
            connection.readExactly(3);
            connection.close();
        };
        try (TestBackend backend = TestBackend.accepting(readsAfterItsEnd);
                TestBalancer balancer = tcp().backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            client.send("abc").finishSending();

            backend.awaitConnectionEnd();
            balancer.awaitQuiet();
            assertThat(backend.bytes()).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    @Test
    void proxyHeaderSetsClient() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = setup().backend(backend)
                        .forwarding(Forwarding.OVERWRITE)
                        .proxyProtocol()
                        .start();
                RawClient client = balancer.client();
                RawClient without = balancer.client()) {
            assertThat(client.send(PROXY + GET).read().body()).contains("X-Forwarded-For: 192.0.2.7\r\n");

            without.send(GET).endAfterAll();
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_PROXY_REFUSED))
                    .isEqualTo(1);
        }
    }

    @Test
    void backendProxyHeaderHasUnknownClient() throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp().backend(backend)
                        .connections(new Connections().proxyHeader(SentProxyHeader.V1))
                        .start();
                RawClient client = balancer.client()) {
            String header = "PROXY UNKNOWN\r\n";

            assertThat(client.send("abc").readExactly(header.length() + 3)).isEqualTo(header + "abc");
        }
    }

    @Test
    void clientLimitIgnoresUnixClients() throws Exception {
        ClientLimits usual = ClientLimits.DEFAULT;
        ClientLimits one = new ClientLimits(
                usual.requestLineBytes(),
                usual.headerBytes(),
                usual.headBytes(),
                usual.headers(),
                usual.bodyBytes(),
                usual.connections(),
                /* connectionsPerClient= */ 1,
                usual.ipv6PrefixBits(),
                usual.requestsPerConnection(),
                usual.inFlight());
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = setup().backend(backend).limits(one).start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            assertThat(first.send(GET).read().status()).isEqualTo(200);
            assertThat(second.send(GET).read().status()).isEqualTo(200);
        }
    }

    @Test
    void networkRoutesDoNotMatchUnixClients() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = setup().backend(backend)
                        .route(everyAddress(new RouteAction.Respond(403, "text/plain", "")))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(200);
        }
    }

    @Test
    void networkRoutesDoNotMatchUnixSessions() throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.send("pool"));
                TestBackend other = TestBackend.accepting(connection -> connection.send("other"));
                TestBalancer balancer = tcp().backend(backend)
                        .pool("other", other)
                        .route(everyAddress(new RouteAction.ToPool("other")))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("pool");
        }
    }

    private static RouteConfig everyAddress(RouteAction action) {
        List<Cidr> networks = List.of(Cidr.parse("0.0.0.0/0"), Cidr.parse("::/0"));
        return RouteConfig.of(
                new RouteMatch(List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(), networks), action);
    }

    @Test
    void accessLogNamesUnixSocket() throws Exception {
        Path log = directory.resolve("access.log");
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = setup().backend(backend)
                        .accessLog(new AccessLogConfig(
                                log.toString(), AccessLogConfig.Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                        .start()) {
            try (RawClient client = balancer.client()) {
                client.send(GET).read();
            }
            balancer.awaitQuiet();
            balancer.frontend().close();
        }
        assertThat(Files.readString(log)).contains("\"client\":\"unix:\"");
    }

    @Test
    void socketFileIsRemovedOnClose() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = setup().backend(backend).start()) {
            assertThat(Path.of(address.path())).exists();

            assertThat(balancer.frontend().drain(TestTimeout.LIMIT)).isZero();

            assertThat(Path.of(address.path())).doesNotExist();
            assertThatThrownBy(balancer::client).isInstanceOf(UncheckedIOException.class);
        }
    }
}

package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TcpFixture;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;

/** Tests PROXY protocol headers from client-side proxies and to backends. */
class ProxyProtocolTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LOCAL = "127.0.0.0/8";
    private static final String HEADER = "PROXY TCP4 192.0.2.7 192.0.2.1 4711 443\r\n";
    /** A version 2 header with source address 192.0.2.8, port 4712, and destination address 192.0.2.1, port 443. */
    private static final byte[] BINARY = HexFormat.of()
            .parseHex("0d0a0d0a000d0a515549540a" + "2111000c" + "c0000208" + "c0000201" + "1268" + "01bb");

    @EachTransport
    void headerSetsClientOfHttpListener(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .forwarding(Forwarding.OVERWRITE)
                        .proxyProtocol(LOCAL)
                        .start();
                RawClient text = balancer.client();
                RawClient binary = balancer.client()) {
            assertThat(text.send(HEADER + GET).read().body()).contains("X-Forwarded-For: 192.0.2.7\r\n");
            assertThat(text.send(GET).read().body()).contains("X-Forwarded-For: 192.0.2.7\r\n");
            assertThat(binary.send(BINARY).send(GET).read().body()).contains("X-Forwarded-For: 192.0.2.8\r\n");
        }
    }

    @EachTransport
    void malformedHeaderClosesConnectionAndIsCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .proxyProtocol(LOCAL)
                        .start();
                RawClient client = balancer.client()) {
            client.send(GET).endAfterAll();

            assertRefused(balancer, backend);
        }
    }

    @EachTransport
    void untrustedPeerIsRejected(TransportKind transport) throws Exception {
        try (TcpFixture tcp =
                TcpFixture.start(tcp(transport).proxyProtocol("192.0.2.0/24"), ScriptedConnection::echo)) {
            tcp.client().endAfterAll();

            assertRefused(tcp.balancer(), tcp.backend());
        }
    }

    @EachTransport
    void missingHeaderTimesOut(TransportKind transport) throws Exception {
        try (TcpFixture tcp = TcpFixture.start(
                BalancerSetup.on(transport)
                        .session(ListenerProtocol.TCP, new SessionConfig(Duration.ofHours(1), Duration.ofMillis(200)))
                        .proxyProtocol(LOCAL),
                ScriptedConnection::echo)) {
            tcp.client().send("PROXY TCP4 ").endAfterAll();

            assertRefused(tcp.balancer(), tcp.backend());
        }
    }

    @EachTransport
    void tcpBackendGetsClientAddress(TransportKind transport) throws Exception {
        try (TcpFixture tcp = TcpFixture.start(
                tcp(transport).proxyProtocol(LOCAL).connections(new Connections().proxyHeader(SentProxyHeader.V1)),
                ScriptedConnection::echo)) {
            tcp.client().send(HEADER + "abc");

            assertThat(tcp.client().readExactly(HEADER.length() + 3))
                    .as("also where the client had connected to")
                    .isEqualTo(HEADER + "abc");
        }
    }

    @EachTransport
    void unknownDestinationIsReplacedByOwn(TransportKind transport) throws Exception {
        try (TcpFixture tcp = TcpFixture.start(
                tcp(transport).proxyProtocol(LOCAL).connections(new Connections().proxyHeader(SentProxyHeader.V1)),
                ScriptedConnection::echo)) {
            tcp.client().send("PROXY TCP4 192.0.2.7 0.0.0.0 4711 0\r\nabc");

            String header =
                    "PROXY TCP4 192.0.2.7 127.0.0.1 4711 " + tcp.balancer().port() + "\r\n";
            assertThat(tcp.client().readExactly(header.length() + 3)).isEqualTo(header + "abc");
        }
    }

    @EachTransport
    void version2HeaderMatchesSpecification(TransportKind transport) throws Exception {
        try (TcpFixture tcp = TcpFixture.start(
                tcp(transport).proxyProtocol(LOCAL).connections(new Connections().proxyHeader(SentProxyHeader.V2)),
                ScriptedConnection::echo)) {
            tcp.client().send(BINARY);

            byte[] header = tcp.client().readExactly(BINARY.length).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(header).isEqualTo(BINARY);
        }
    }

    @EachTransport
    void eachRequestUsesOwnConnectionWithHeader(TransportKind transport) throws Exception {
        Script afterHeader = connection -> {
            String header =
                    new String(connection.readExactly("PROXY TCP4 127.0.0.1".length()), StandardCharsets.ISO_8859_1);
            String request = connection.readHead();
            String body = header + "|" + request;
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.accepting(afterHeader);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .connections(new Connections().pipelining(8).proxyHeader(SentProxyHeader.V1))
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(GET).read().body()).startsWith("PROXY TCP4 127.0.0.1|");
                assertThat(backend.connections()).isEqualTo(i);
            }
        }
    }

    private static BalancerSetup tcp(TransportKind transport) {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.TCP);
    }

    private static void assertRefused(TestBalancer balancer, TestBackend backend) {
        assertThat(balancer.count(ListenerCounter.CONNECTIONS_PROXY_REFUSED)).isEqualTo(1);
        assertThat(backend.connections()).isZero();
    }
}

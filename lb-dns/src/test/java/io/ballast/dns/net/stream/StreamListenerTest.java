package io.ballast.dns.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests connections to a TCP listener over real sockets: their limits and timeouts, and the PROXY protocol. */
class StreamListenerTest {

    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String NAME = "app.example.com";

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void evictsLongestIdleConnectionAtLimit(TransportKind transport) throws IOException {
        DnsTcpConfig two = new DnsTcpConfig(LONG, LONG, 2, 0, 64);
        try (DnsFrontend frontend = start(two, Optional.empty(), transport);
                StreamClient first = connect(frontend);
                StreamClient second = connect(frontend)) {
            assertAnswered(first);
            assertAnswered(second);
            assertAnswered(first);
            try (StreamClient third = connect(frontend)) {
                assertAnswered(third);

                second.awaitEnd();
                assertAnswered(first);
            }
            assertThat(frontend.stats().sum(DnsCounter.CONNECTIONS)).isEqualTo(3);
            assertThat(frontend.stats().sum(DnsCounter.EVICTED)).isEqualTo(1);
        }
    }

    @Test
    void limitsConnectionsPerClient() throws IOException {
        DnsTcpConfig oneEach = new DnsTcpConfig(LONG, LONG, 10, 1, 64);
        try (DnsFrontend frontend = start(oneEach, Optional.empty(), TransportKind.AUTO)) {
            try (StreamClient first = connect(frontend);
                    StreamClient second = connect(frontend)) {
                assertAnswered(first);
                second.awaitEnd();
                assertAnswered(first);
            }
            awaitSum(frontend, DnsCounter.CONNECTIONS_CLOSED, 1);
            try (StreamClient third = connect(frontend)) {
                assertAnswered(third);
            }
            assertThat(frontend.stats().sum(DnsCounter.CLIENT_LIMIT)).isEqualTo(1);
            assertThat(frontend.stats().sum(DnsCounter.CONNECTIONS)).isEqualTo(2);
        }
    }

    @Test
    void answersHalfClosedClient() throws IOException {
        try (DnsFrontend frontend = start(DnsTcpConfig.DEFAULT, Optional.empty(), TransportKind.AUTO);
                StreamClient client = connect(frontend)) {
            byte[] query = StreamClient.framed(Messages.query(NAME, Type.A).toWire());
            client.send(query);
            client.send(query);
            client.endOutput();

            assertThat(Messages.answers(client.receive())).hasSize(2);
            assertThat(Messages.answers(client.receive())).hasSize(2);
            client.awaitEnd();
        }
    }

    @Test
    void idleConnectionsTimeOut() throws IOException {
        DnsTcpConfig brief = new DnsTcpConfig(Duration.ofMillis(1), LONG, 10, 0, 64);
        try (DnsFrontend frontend = start(brief, Optional.empty(), TransportKind.AUTO);
                StreamClient client = connect(frontend)) {
            client.awaitEnd();

            assertThat(frontend.stats().sum(DnsCounter.IDLE)).isEqualTo(1);
        }
    }

    @Test
    void usesClientOfProxyHeader() throws IOException {
        DnsTcpConfig oneEach = new DnsTcpConfig(LONG, LONG, 10, 1, 64);
        try (DnsFrontend frontend = start(oneEach, proxies("127.0.0.0/8"), TransportKind.AUTO);
                StreamClient first = connect(frontend);
                StreamClient other = connect(frontend);
                StreamClient again = connect(frontend)) {
            first.send(ascii("PROXY TCP4 203.0.113.1 192.0.2.1 4711 53\r\n"));
            assertAnswered(first);
            other.send(ascii("PROXY TCP4 203.0.113.2 192.0.2.1 4711 53\r\n"));
            assertAnswered(other);

            again.send(ascii("PROXY TCP4 203.0.113.1 192.0.2.1 4712 53\r\n"));
            again.awaitEnd();
            assertThat(frontend.stats().sum(DnsCounter.CLIENT_LIMIT)).isEqualTo(1);
        }
    }

    @Test
    void acceptsFragmentedHeaderAndQuery() throws IOException {
        byte[] query = StreamClient.framed(Messages.query(NAME, Type.A).toWire());
        byte[] header = ascii("PROXY TCP6 2001:db8::1 2001:db8::2 4711 53\r\n");
        byte[] both = new byte[header.length + query.length];
        System.arraycopy(header, 0, both, 0, header.length);
        System.arraycopy(query, 0, both, header.length, query.length);
        try (DnsFrontend frontend = start(DnsTcpConfig.DEFAULT, proxies("127.0.0.1"), TransportKind.AUTO);
                StreamClient whole = connect(frontend);
                StreamClient pieces = connect(frontend)) {
            whole.send(both);
            assertThat(Messages.answers(whole.receive())).hasSize(2);

            for (byte piece : both) {
                pieces.send(new byte[] {piece});
            }
            assertThat(Messages.answers(pieces.receive())).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UDP4 203.0.113.1 192.0.2.1 4711 53\r\n", "GET / HTTP/1.1\r\n\r\n", "\0\0"})
    void missingProxyHeaderClosesConnection(String text) throws IOException {
        try (DnsFrontend frontend = start(DnsTcpConfig.DEFAULT, proxies("127.0.0.1"), TransportKind.AUTO);
                StreamClient client = connect(frontend)) {
            client.send(ascii(text));

            client.awaitEnd();
            assertThat(frontend.stats().sum(DnsCounter.PROXY_REFUSED)).isEqualTo(1);
            assertThat(frontend.stats().sum(DnsCounter.QUERIES_TCP)).isZero();
        }
    }

    @Test
    void rejectsUntrustedProxy() throws IOException {
        try (DnsFrontend frontend = start(DnsTcpConfig.DEFAULT, proxies("192.0.2.0/24"), TransportKind.AUTO);
                StreamClient client = connect(frontend)) {
            client.awaitEnd();

            assertThat(frontend.stats().sum(DnsCounter.PROXY_REFUSED)).isEqualTo(1);
            assertThat(frontend.stats().sum(DnsCounter.CONNECTIONS)).isZero();
        }
    }

    @Test
    void missingProxyHeaderTimesOut() throws IOException {
        DnsTcpConfig brief = new DnsTcpConfig(LONG, Duration.ofMillis(1), 10, 0, 64);
        try (DnsFrontend frontend = start(brief, proxies("127.0.0.1"), TransportKind.AUTO);
                StreamClient client = connect(frontend)) {
            client.awaitEnd();

            assertThat(frontend.stats().sum(DnsCounter.SLOW_SENDER)).isEqualTo(1);
        }
    }

    private DnsFrontend start(DnsTcpConfig tcp, Optional<ProxyProtocolConfig> proxies, TransportKind transport)
            throws IOException {
        DnsListenerConfig listener = new DnsListenerConfig(ANY_PORT, Protocol.DNS, Optional.empty(), proxies);
        return DnsFrontend.start(fixture.dns(tcp, listener), fixture.topology(), /* eventLoops= */ 1, transport);
    }

    private static Optional<ProxyProtocolConfig> proxies(String network) {
        return Optional.of(new ProxyProtocolConfig(List.of(Cidr.parse(network))));
    }

    private static StreamClient connect(DnsFrontend frontend) throws IOException {
        return new StreamClient(frontend.addresses().get(0));
    }

    private static void assertAnswered(StreamClient client) throws IOException {
        Message response = client.query(NAME, Type.A);
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    /** Waits for a counter, since the server detects a close with some delay. */
    private static void awaitSum(DnsFrontend frontend, DnsCounter counter, long sum) {
        while (frontend.stats().sum(counter) < sum) {
            Thread.onSpinWait();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}

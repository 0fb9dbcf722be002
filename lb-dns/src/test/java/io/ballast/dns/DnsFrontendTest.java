package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** End-to-end test over real loopback sockets with dnsjava's resolver. */
class DnsFrontendTest {

    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "web",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("2001:db8::1"))
            .pool(
                    "large",
                    IntStream.range(0, 200)
                            .mapToObj(i -> ZoneFixture.backend("198.51.100." + i))
                            .toArray(BackendConfig[]::new))
            .zone("example.com", ZoneFixture.service("app", "web"), ZoneFixture.service("large", "large"));

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void answersOverUdpAndTcp(TransportKind transport) throws IOException {
        try (DnsFrontend frontend = start(transport)) {
            for (boolean tcp : new boolean[] {false, true}) {
                Message response = resolver(frontend, tcp).send(Messages.query("app.example.com", Type.A));

                assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
                assertThat(Messages.isAuthoritative(response)).isTrue();
                assertThat(Messages.has(response, Flags.RA)).isFalse();
            }
            assertThat(frontend.stats().sum(DnsCounter.QUERIES_UDP)).isEqualTo(1);
            assertThat(frontend.stats().sum(DnsCounter.QUERIES_TCP)).isEqualTo(1);
        }
    }

    @Test
    void echoesCaseOfQuestion() throws IOException {
        try (DnsFrontend frontend = start(TransportKind.AUTO)) {
            Message response = resolver(frontend, false).send(Messages.query("aPP.ExAmplE.cOM", Type.AAAA));

            assertThat(response.getQuestion().getName()).hasToString("aPP.ExAmplE.cOM.");
            assertThat(Messages.answers(response)).containsExactly("2001:db8:0:0:0:0:0:1");
        }
    }

    @Test
    void answersBadversToNewerEdnsVersions() throws IOException {
        try (DnsFrontend frontend = start(TransportKind.AUTO)) {
            SimpleResolver resolver = resolver(frontend, false);
            OPTRecord versionOne = new OPTRecord(1232, 0, 1, ExtendedFlags.DO);

            Message response = resolver.send(Messages.query("app.example.com", Type.A, versionOne));

            assertThat(response.getRcode()).isEqualTo(Rcode.BADVERS);
            assertThat(response.getOPT().getVersion()).isZero();
        }
    }

    @Test
    void truncatesAnswersThatDoNotFit() throws IOException {
        try (DnsFrontend frontend = start(TransportKind.AUTO)) {
            SimpleResolver overUdp = resolver(frontend, false);
            overUdp.setIgnoreTruncation(true);
            Message query = Messages.query("large.example.com", Type.A);

            assertThat(Messages.has(overUdp.send(query), Flags.TC)).isTrue();
            // Without setIgnoreTruncation, dnsjava's resolver repeats the query over TCP.
            Message response = resolver(frontend, false).send(query);

            assertThat(Messages.has(response, Flags.TC)).isFalse();
            assertThat(Messages.answers(response)).hasSize(200);
        }
    }

    @Test
    void unhealthyBackendsLeaveAnswerAndReturn() throws IOException {
        try (DnsFrontend frontend = start(TransportKind.AUTO)) {
            SimpleResolver resolver = resolver(frontend, false);
            Message query = Messages.query("app.example.com", Type.A);

            fixture.set("web", "192.0.2.1", BackendState.DOWN);
            assertThat(Messages.answers(resolver.send(query))).containsExactly("192.0.2.2");

            fixture.set("web", "192.0.2.1", BackendState.UP);
            assertThat(Messages.answers(resolver.send(query))).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
        }
    }

    @Test
    void rejectsPortOfOtherFrontend() throws IOException {
        try (DnsFrontend frontend = start(TransportKind.AUTO)) {
            HostPort taken =
                    new HostPort("127.0.0.1", frontend.addresses().get(0).getPort());

            assertThatThrownBy(() -> start(taken))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("cannot listen on UDP 127.0.0.1:" + taken.port() + ": ");
        }
    }

    @Test
    void rejectsPortInUseOnTcp() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start(new HostPort("127.0.0.1", taken.getLocalPort())))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("cannot listen on TCP 127.0.0.1:" + taken.getLocalPort() + ": ");
        }
    }

    @Test
    void closeReleasesPort() throws IOException {
        DnsFrontend frontend = start(TransportKind.AUTO);
        InetSocketAddress address = frontend.addresses().get(0);

        frontend.close();

        new DatagramSocket(address).close();
        assertThatThrownBy(() -> resolver(address, true).send(Messages.query("app.example.com", Type.A)))
                .isInstanceOf(IOException.class);
    }

    private DnsFrontend start(TransportKind transport) throws IOException {
        return DnsFrontend.start(fixture.dns(ANY_PORT), fixture.topology(), 2, transport);
    }

    private DnsFrontend start(HostPort listener) throws IOException {
        return DnsFrontend.start(fixture.dns(listener), fixture.topology(), 2, TransportKind.AUTO);
    }

    private static SimpleResolver resolver(DnsFrontend frontend, boolean tcp) {
        List<InetSocketAddress> addresses = frontend.addresses();
        return resolver(addresses.get(0), tcp);
    }

    private static SimpleResolver resolver(InetSocketAddress address, boolean tcp) {
        SimpleResolver resolver = new SimpleResolver(address);
        resolver.setTCP(tcp);
        resolver.setEDNS(-1);
        resolver.setTimeout(Duration.ofSeconds(5));
        return resolver;
    }
}

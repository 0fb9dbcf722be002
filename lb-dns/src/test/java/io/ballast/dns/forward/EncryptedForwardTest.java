package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.forward.upstream.FakeHttp2Server;
import io.ballast.dns.forward.upstream.UpstreamCounter;
import io.ballast.dns.forward.upstream.UpstreamProtocol;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests resolvers over TLS and HTTPS; Ballast itself is one of the tested resolvers. */
class EncryptedForwardTest {

    private static final String SECURED = "secured";

    private final TestCertificate certificate = TestCertificate.create();
    private FakeResolver resolver;
    private DnsFrontend server;
    private ClientTls dot;
    private ClientTls doh;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        TlsFiles files = certificate.write(directory);
        dot = ClientTls.open(trusting(files), List.of());
        doh = ClientTls.open(trusting(files), List.of("h2"));
        resolver = new FakeResolver("192.0.2.7");
        ZoneFixture fixture = new ZoneFixture().resolvers("resolvers", resolver);
        HostPort address = new HostPort("127.0.0.1", 0);
        DnsConfig config = fixture.dns(
                        DnsTcpConfig.DEFAULT,
                        Reload.encrypted(address, DnsListenerConfig.Protocol.DOT, files),
                        Reload.encrypted(address, DnsListenerConfig.Protocol.DOH, files))
                .withForward(DnsForwardConfig.of("resolvers"));
        server = DnsFrontend.start(config, fixture.topology(), /* eventLoops= */ 1, TransportKind.AUTO);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        resolver.close();
        dot.close();
        doh.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"DOT", "DOH"})
    void trustedResolverIsUsed(Protocol protocol) throws Exception {
        try (ForwarderFixture fixture = fixture(protocol, port(protocol))) {
            fixture.frontend().secureUpstreams(tls(dot, doh));

            for (int i = 0; i < 20; i++) {
                Message answer = fixture.query("name" + i + ".example", Type.A);

                assertThat(answer.getRcode()).isEqualTo(Rcode.NOERROR);
                ARecord record = (ARecord) answer.getSection(Section.ANSWER).get(0);
                assertThat(record.getAddress().getHostAddress()).isEqualTo("192.0.2.7");
            }
            // Each event loop opens one connection.
            assertThat(server.stats().sum(DnsCounter.CONNECTIONS)).isBetween(1L, 2L);
            UpstreamCounter queries =
                    protocol == Protocol.DOT ? UpstreamCounter.QUERIES_DOT : UpstreamCounter.QUERIES_DOH;
            assertThat(fixture.frontend().upstreamEvents())
                    .containsEntry(queries, 20L)
                    .containsEntry(UpstreamCounter.ANSWERED, 20L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DOT", "DOH"})
    void untrustedResolverGetsNoQuery(Protocol protocol) throws Exception {
        TlsFiles others = TestCertificate.create().write(directory, "other");
        ClientTls wrong = ClientTls.open(trusting(others), protocol == Protocol.DOH ? List.of("h2") : List.of());
        try (ForwarderFixture fixture = fixture(protocol, port(protocol))) {
            fixture.frontend().secureUpstreams(tls(wrong, wrong));

            assertThat(fixture.query("www.example", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(resolver.queries()).isEmpty();
        } finally {
            wrong.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DOT", "DOH"})
    void changedTlsAppliesToNextQuery(Protocol protocol) throws Exception {
        TlsFiles others = TestCertificate.create().write(directory, "other");
        ClientTls wrong = ClientTls.open(trusting(others), protocol == Protocol.DOH ? List.of("h2") : List.of());
        try (ForwarderFixture fixture = fixture(protocol, port(protocol))) {
            fixture.frontend().secureUpstreams(tls(dot, doh));
            assertThat(fixture.query("one.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

            fixture.frontend().secureUpstreams(tls(wrong, wrong));

            assertThat(fixture.query("two.example", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(resolver.queries("two.example")).isZero();
        } finally {
            wrong.close();
        }
    }

    @Test
    void queriesOfKilledConnectionAreRetried() throws Exception {
        try (FakeHttp2Server killed = new FakeHttp2Server(certificate, "h2", 100);
                ForwarderFixture fixture =
                        fixture(Protocol.DOH, killed.address().getPort(), port(Protocol.DOH))) {
            fixture.frontend().secureUpstreams(tls(dot, doh));
            CompletableFuture<Message> first = CompletableFuture.supplyAsync(() -> query(fixture, "a.example"));
            CompletableFuture<Message> second = CompletableFuture.supplyAsync(() -> query(fixture, "b.example"));
            killed.receive().endConnection(); // the two queries go to two resolvers, so one query reaches this server

            assertThat(first.join().getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(second.join().getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_RETRIES))
                    .isPositive();
        }
    }

    private static Message query(ForwarderFixture fixture, String name) {
        try {
            return fixture.query(Messages.query(name, Type.A));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    private int port(Protocol protocol) {
        return server.addresses().get(protocol == Protocol.DOT ? 0 : 1).getPort();
    }

    private static ForwarderFixture fixture(Protocol protocol, int... ports) throws IOException {
        UnaryOperator<DnsForwardConfig> change = defaults ->
                defaults.toBuilder().upstream(new Upstream(SECURED, protocol)).build();
        return new ForwarderFixture(change, fixture -> fixture.resolvers(SECURED, ports));
    }

    private static UpstreamTls tls(ClientTls dot, ClientTls doh) {
        return (backend, protocol) -> protocol == UpstreamProtocol.DOH ? doh : dot;
    }

    private static BackendTls trusting(TlsFiles ca) {
        return new BackendTls(Optional.of(ca.certificate()), Optional.empty(), Optional.empty(), /* insecure= */ false);
    }
}

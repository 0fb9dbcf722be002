package io.ballast.dns.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Record;

/** Tests zone transfers over TLS (RFC 9103), and failures caused by wrong certificates. */
class PrimaryOverTlsTest {

    private static final String ZONE = "example.com";
    private static final Record WWW = ScriptedPrimary.record("www.example.com", "A", "192.0.2.1");

    private final TestCertificate certificate = TestCertificate.forHosts("ns.example.com");

    @TempDir
    private Path directory;

    private static SSLServerSocket listening(SSLContext context) throws IOException {
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private BackendTls trusting(TestCertificate authority, String name, Optional<TlsFiles> identity)
            throws IOException {
        return new BackendTls(
                Optional.of(authority.write(directory, "authority").certificate()),
                Optional.of(name),
                identity,
                /* insecure= */ false);
    }

    private BackendTls trusting(String name) throws IOException {
        return trusting(certificate, name, Optional.empty());
    }

    private SecondaryFixture fixture(HostPort primary, BackendTls tls) {
        return new SecondaryFixture(directory)
                .zone(ZONE, new SecondaryConfig(List.of(primary), Optional.empty()).withTls(tls));
    }

    private String problem(ScriptedPrimary primary, BackendTls tls) throws IOException {
        primary.serves(ZONE, 7, WWW);
        SecondaryFixture fixture = fixture(primary.address(), tls).begin();
        assertThat(fixture.lines(ZONE)).isEmpty();
        assertThat(primary.queries()).isEmpty();
        return fixture.state(ZONE).problem().replace(primary.address().toString(), "primary");
    }

    @Test
    void transfersZoneAndChangesOverTls() throws IOException {
        try (ScriptedPrimary primary = new ScriptedPrimary(listening(certificate.server()))) {
            primary.serves(ZONE, 7, WWW);
            SecondaryFixture fixture =
                    fixture(primary.address(), trusting("ns.example.com")).begin();

            assertThat(fixture.state(ZONE).serial()).hasValue(7);

            primary.serves(ZONE, 8, WWW);
            fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

            assertThat(fixture.state(ZONE).serial()).hasValue(8);
        }
    }

    @Test
    void verifiesPrimaryByAddressOrName() throws IOException {
        try (ScriptedPrimary primary = new ScriptedPrimary(listening(certificate.server()))) {
            primary.serves(ZONE, 7, WWW);
            BackendTls tls = new BackendTls(
                    Optional.of(certificate.write(directory, "authority").certificate()),
                    Optional.empty(),
                    Optional.empty(),
                    /* insecure= */ false);

            assertThat(fixture(primary.address(), tls).begin().state(ZONE).serial())
                    .hasValue(7);
        }
    }

    @Test
    void rejectsCertificateForOtherName() throws IOException {
        try (ScriptedPrimary primary = new ScriptedPrimary(listening(certificate.server()))) {
            assertThat(problem(primary, trusting("other.example.com")))
                    .isEqualTo("primary: the certificate is not valid for this name");
        }
    }

    @Test
    void rejectsCertificateOfOtherIssuer() throws IOException {
        try (ScriptedPrimary primary = new ScriptedPrimary(listening(certificate.server()))) {
            BackendTls tls = trusting(TestCertificate.create(), "ns.example.com", Optional.empty());

            assertThat(problem(primary, tls)).isEqualTo("primary: the certificate's issuer is not trusted");
        }
    }

    @Test
    void primaryWithoutTlsGetsNoPlainQuery() throws IOException {
        try (ScriptedPrimary primary = new ScriptedPrimary()) {
            primary.isSilent(true);

            assertThat(problem(primary, trusting("ns.example.com")))
                    .isEqualTo("primary: the TLS handshake failed: the connection was closed");
        }
    }

    @Test
    void rejectsOldTls() throws IOException {
        SSLServerSocket socket = listening(certificate.server());
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        try (ScriptedPrimary primary = new ScriptedPrimary(socket)) {
            assertThat(problem(primary, trusting("ns.example.com")))
                    .isEqualTo("primary: refused in the TLS handshake: protocol version");
        }
    }

    @Test
    void presentsClientCertificate() throws IOException {
        TestCertificate own = TestCertificate.create();
        SSLServerSocket socket = listening(certificate.server(own));
        socket.setNeedClientAuth(true);
        try (ScriptedPrimary primary = new ScriptedPrimary(socket)) {
            assertThat(problem(primary, trusting("ns.example.com")))
                    .isIn( // Java 17 servers send the first alert, later versions the second one
                            "primary: refused in the TLS handshake: bad certificate",
                            "primary: refused in the TLS handshake: certificate required");

            BackendTls tls = trusting(certificate, "ns.example.com", Optional.of(own.write(directory, "own")));

            assertThat(fixture(primary.address(), tls).begin().state(ZONE).serial())
                    .hasValue(7);
        }
    }

    @Test
    void reloadsChangedFiles() throws IOException {
        TestCertificate next = TestCertificate.forHosts("ns.example.com");
        try (ScriptedPrimary primary = new ScriptedPrimary(listening(next.server()))) {
            primary.serves(ZONE, 7, WWW);
            SecondaryFixture fixture =
                    fixture(primary.address(), trusting("ns.example.com")).begin();
            assertThat(fixture.state(ZONE).problem()).contains("the certificate's issuer is not trusted");

            next.write(directory, "authority");
            fixture.time.advance(Duration.ofSeconds(10));

            assertThat(fixture.state(ZONE).serial()).hasValue(7);
        }
    }
}

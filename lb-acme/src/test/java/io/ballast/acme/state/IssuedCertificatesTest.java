package io.ballast.acme.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.testing.TestCertificates;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IssuedCertificatesTest {

    private static final String NAME = "shop.example.com";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final URI FIRST = URI.create("https://first.example/dir");
    private static final URI SECOND = URI.create("https://second.example/dir");

    @TempDir
    private Path dataDir;

    @Test
    void onlyIssuerServesItsOwnFile() throws Exception {
        IssuedCertificates certificates = open(FIRST);
        TlsIdentity issued = identity(NOW);

        certificates.write(NAME, "first.example", issued);

        assertThat(certificates.tlsFiles(NAME).certificate())
                .isEqualTo(dataDir.resolve("acme/first.example-dir/certificates/shop.example.com.pem"));
        assertThat(served(certificates)).isEqualTo(issued);
        assertThat(Files.exists(dataDir.resolve("acme/_served"))).isFalse();
    }

    @Test
    void latestCertificateIsServed() throws Exception {
        IssuedCertificates certificates = open(FIRST, SECOND);
        TlsIdentity later = identity(NOW.plusSeconds(60));
        certificates.write(NAME, "first.example", identity(NOW));
        certificates.write(NAME, "second.example", later);

        assertThat(served(certificates)).isEqualTo(later);
        assertThat(certificates.read(NAME, NOW.plusSeconds(90)).orElseThrow().issuer())
                .isEqualTo("second.example");
        assertThat(certificates.tlsFiles(NAME).certificate())
                .isEqualTo(dataDir.resolve("acme/_served/certificates/shop.example.com.pem"));
    }

    @Test
    void revokedAndExpiredCertificatesComeLast() throws Exception {
        IssuedCertificates certificates = open(FIRST, SECOND);
        TlsIdentity later = identity(NOW.plusSeconds(60));
        certificates.write(NAME, "first.example", identity(NOW));
        certificates.write(NAME, "second.example", later);

        certificates.of("second.example").writeRevoked(NAME, later.certificate());
        assertThat(certificates.read(NAME, NOW.plusSeconds(90)).orElseThrow().issuer())
                .isEqualTo("first.example");

        assertThat(certificates
                        .read(NAME, NOW.plus(Duration.ofDays(400)))
                        .orElseThrow()
                        .issuer())
                .isEqualTo("second.example");
    }

    @Test
    void addedIssuerKeepsCertificateOfFirst() throws Exception {
        TlsIdentity issued = identity(NOW);
        open(FIRST).write(NAME, "first.example", issued);
        IssuedCertificates certificates = open(SECOND, FIRST);

        certificates.prepare(NAME, NOW);

        assertThat(served(certificates)).isEqualTo(issued);
        assertThat(certificates.read(NAME, NOW).orElseThrow().issuer()).isEqualTo("first.example");
    }

    @Test
    void removedIssuerKeepsServedCertificateUntilNextOrder() throws Exception {
        TlsIdentity issued = identity(NOW);
        open(FIRST, SECOND).write(NAME, "second.example", issued);
        IssuedCertificates certificates = open(FIRST, URI.create("https://third.example/dir"));

        certificates.prepare(NAME, NOW);

        assertThat(served(certificates)).isEqualTo(issued);
        assertThat(certificates.read(NAME, NOW)).isEmpty();
    }

    @Test
    void nameWithoutCertificateHasTemporaryOne() throws Exception {
        IssuedCertificates certificates = open(FIRST, SECOND);

        certificates.prepare(NAME, NOW);

        assertThat(TemporaryCertificate.isTemporary(served(certificates).certificate()))
                .isTrue();
        assertThat(certificates.read(NAME, NOW)).isEmpty();
    }

    @Test
    void deletesFilesOfAllIssuers() throws Exception {
        IssuedCertificates certificates = open(FIRST, SECOND);
        certificates.write(NAME, "first.example", identity(NOW));
        certificates.write(NAME, "second.example", identity(NOW));

        certificates.delete(NAME);

        try (var files = Files.walk(dataDir)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void unknownIssuerIsRefused() {
        assertThatThrownBy(() -> open(FIRST).of("other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("first.example");
    }

    private IssuedCertificates open(URI... directories) {
        return new IssuedCertificates(
                dataDir,
                AcmeConfig.of(directories[0], AcmeChallenge.HTTP_01)
                        .withIssuers(List.of(directories).stream()
                                .map(AcmeIssuer::of)
                                .toList()));
    }

    private static TlsIdentity identity(Instant from) {
        return TestCertificates.create(NAME, from, Duration.ofDays(90));
    }

    private static TlsIdentity served(IssuedCertificates certificates) throws IOException {
        return TlsIdentity.load(certificates.tlsFiles(NAME));
    }
}

package io.ballast.net.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.testing.TestCertificate;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ClientCertificateTest {

    private static ClientCertificate certificate(String subject) {
        return new ClientCertificate(
                TestCertificate.forClient(subject, "spiffe://example/Billing", "Ops@example.com", "Billing.Example.com")
                        .certificate());
    }

    @Test
    void hasTheNamesOfTheCertificate() {
        ClientCertificate certificate = certificate("CN=billing,O=Example");

        assertThat(certificate.name()).isEqualTo("CN=billing,O=Example");
        assertThat(certificate.hosts()).containsExactly("billing.example.com");
        assertThat(certificate.uris()).containsExactly("spiffe://example/Billing");
        assertThat(certificate.mailAddresses()).containsExactly("Ops@example.com");
    }

    @Test
    void alternativeNameReplacesSubjectThatIsTooLong() {
        String subject = "CN=" + "billing ".repeat(200);

        assertThat(certificate(subject).name()).isEqualTo("spiffe://example/Billing");
    }

    @Test
    void hasFingerprintAndHeaderOfTheEncodedCertificate() throws Exception {
        TestCertificate test = TestCertificate.forOnly("billing");
        byte[] encoded = test.certificate().getEncoded();
        ClientCertificate certificate = new ClientCertificate(test.certificate());

        assertThat(certificate.fingerprint())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(encoded)));
        assertThat(new String(certificate.headerValue(), US_ASCII))
                .isEqualTo(":" + Base64.getEncoder().encodeToString(encoded) + ":");
    }
}

package io.ballast.policy.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ClientCertificates.Mode;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.policy.config.ClientCertificateConfig;
import io.ballast.policy.testing.TestPolicies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientCertificatePolicyTest {

    private static final TestCertificate SERVER = TestCertificate.forHosts("localhost");
    private static final TestCertificate CLIENT = TestCertificate.forClient(
            "CN=billing,O=Example", "spiffe://example/billing", "ops@example.com", "billing.example.com");

    @TempDir
    private Path directory;

    private static ClientCertificateConfig config(
            @Nullable String subject, @Nullable String dns, @Nullable String uri, @Nullable String mail) {
        return new ClientCertificateConfig(
                list(subject),
                list(dns),
                list(uri),
                list(mail),
                /* fingerprints= */ List.of(),
                /* required= */ true,
                /* header= */ Optional.empty(),
                /* forward= */ false);
    }

    private static List<String> list(@Nullable String value) {
        return value == null ? List.of() : List.of("CN=other", value);
    }

    private static ClientCertificateConfig passedOn(boolean required) {
        return new ClientCertificateConfig(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                required,
                Optional.of("X-Client"),
                /* forward= */ true);
    }

    private TestBalancer start(TestBackend backend, ClientCertificateConfig config) throws Exception {
        ClientCertificates clients =
                new ClientCertificates(CLIENT.write(directory, "clients").certificate(), Mode.OPTIONAL);
        return BalancerSetup.on(TransportKind.NIO)
                .tls(new ListenerTls(
                        List.of(SERVER.write(directory)),
                        TlsProfile.INTERMEDIATE,
                        Optional.of(clients),
                        /* hsts= */ Optional.empty()))
                .backend(backend)
                .policies(TestPolicies.named(new ClientCertificatePolicy(config)))
                .start();
    }

    private static RawResponse get(TestBalancer balancer, SSLContext tls, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        try (RawClient client = RawClient.connect(balancer.port(), tls, "localhost")) {
            return client.send("GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n")
                    .read();
        }
    }

    @ParameterizedTest
    @CsvSource({
        ",,,,200",
        "'O=Example , CN=no',,,,403",
        "'cn=Billing, o=Example',,,,200",
        ",BILLING.example.com,,,200",
        ",example.com,,,403",
        ",,spiffe://example/billing,,200",
        ",,spiffe://example/Billing,,403",
        ",,,ops@example.com,200",
        ",,,ops@example.org,403",
        "'CN=billing,O=Example',billing.example.com,spiffe://example/billing,ops@example.com,200",
        "'CN=billing,O=Example',billing.example.com,spiffe://example/other,ops@example.com,403",
    })
    void certificateMustMatchEachList(String subject, String dns, String uri, String mail, int status)
            throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, config(subject, dns, uri, mail))) {
            assertThat(get(balancer, SERVER.client(CLIENT)).status()).isEqualTo(status);
            assertThat(get(balancer, SERVER.client()).status()).isEqualTo(403);
        }
    }

    @Test
    void fingerprintMayHaveColons() throws Exception {
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(CLIENT.certificate().getEncoded());
        String accepted = HexFormat.ofDelimiter(":").withUpperCase().formatHex(hash);
        ClientCertificateConfig config = new ClientCertificateConfig(
                List.of(), List.of(), List.of(), List.of(), List.of(accepted), true, Optional.empty(), false);
        ClientCertificateConfig other = new ClientCertificateConfig(
                List.of(), List.of(), List.of(), List.of(), List.of("00".repeat(32)), true, Optional.empty(), false);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer passes = start(backend, config);
                TestBalancer refuses = start(backend, other)) {
            assertThat(get(passes, SERVER.client(CLIENT)).status()).isEqualTo(200);
            assertThat(get(refuses, SERVER.client(CLIENT)).status()).isEqualTo(403);
        }
    }

    @Test
    void backendReceivesTheCertificate() throws Exception {
        String encoded = Base64.getEncoder().encodeToString(CLIENT.certificate().getEncoded());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, passedOn(/* required= */ true))) {
            get(balancer, SERVER.client(CLIENT), "Client-Cert: :AAAA:", "client_cert: :AAAA:", "X-Client: CN=root");

            assertThat(backend.nextRequest())
                    .contains("X-Client: CN=billing,O=Example\r\n")
                    .contains("Client-Cert: :" + encoded + ":\r\n")
                    .doesNotContain("AAAA")
                    .doesNotContain("root");
        }
    }

    @Test
    void http2BackendReceivesTheCertificate() throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(SERVER.client(CLIENT))
                .version(HttpClient.Version.HTTP_2)
                .build();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, passedOn(/* required= */ true))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + balancer.port() + "/"))
                    .header("x-client", "forged")
                    .header("x_client", "forged")
                    .header("client-cert-chain", "forged")
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());

            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(backend.nextRequest())
                    .contains("X-Client: CN=billing,O=Example\r\n")
                    .contains("Client-Cert: :")
                    .doesNotContain("forged");
        }
    }

    @Test
    void optionalCertificateMayBeMissing() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, passedOn(/* required= */ false))) {
            assertThat(get(balancer, SERVER.client(), "Client-Cert: :AAAA:", "X_Client: CN=root")
                            .status())
                    .isEqualTo(200);
            assertThat(backend.nextRequest()).doesNotContain("AAAA").doesNotContain("root");
        }
    }

    @Test
    void subjectMustBeDistinguishedName() {
        assertThatThrownBy(() -> config("billing=", null, null, null))
                .hasMessage("subjects: billing= (expected: a distinguished name such as CN=billing,O=Example)");
    }
}

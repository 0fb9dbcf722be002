package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.BackendTls;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ClientCertificates.Mode;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.testing.TestCertificate.RareKey;
import io.ballast.net.tls.BoringSslKeySupport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests P-521 and Ed25519 certificates, which BoringSSL verifies only partly, on each side and for both TLS versions.
 */
class RareKeysTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final TestCertificate LOCAL = TestCertificate.create();

    @TempDir
    private Path directory;

    static List<Arguments> kindsAndVersions() {
        List<Arguments> all = new ArrayList<>();
        for (RareKey kind : RareKey.values()) {
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                all.add(Arguments.of(kind, version));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void listenerMayUseRareKey(RareKey kind, String version) throws Exception {
        TestCertificate own = TestCertificate.create(kind);
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .tls(ListenerTls.of(own.write(directory)))
                .respond("/", 200, "hello")
                .start()) {
            assertThat(request(balancer, own.clientOf(version))).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void acceptsSelfSignedClientCertificate(RareKey kind, String version) throws Exception {
        TestCertificate client = TestCertificate.create(kind);
        try (TestBalancer balancer = mutual(client)) {
            assertThat(request(balancer, LOCAL.clientOf(version, client))).isEqualTo("hello");
        }
    }

    /**
     * BoringSSL does not request a client certificate with such a key. If the whole process used the JDK's TLS,
     * the certificate would be verified.
     */
    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void rejectsClientOfIssuerWithUnsupportedKey(RareKey kind, String version) throws Exception {
        TestCertificate issuer = TestCertificate.create();
        TestCertificate client = TestCertificate.create(kind, issuer);
        assertThat(BoringSslKeySupport.notes(verifying(issuer)))
                .singleElement()
                .asString()
                .startsWith("clients cannot present certificates with Ed25519 or P-521 keys");
        try (TestBalancer balancer = mutual(issuer)) {
            assertThatThrownBy(() -> request(balancer, LOCAL.clientOf(version, client)))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void acceptsSelfSignedBackendCertificate(RareKey kind, String version) throws Exception {
        TestCertificate certificate = TestCertificate.create(kind);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(certificate.server(), version);
                TestBalancer balancer = to(backend, certificate, Optional.empty());
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
        }
    }

    /** BoringSSL does not offer this algorithm, so the first handshake fails. */
    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void acceptsBackendOfOtherIssuerOnSecondHandshake(RareKey kind, String version) throws Exception {
        TestCertificate issuer = TestCertificate.create();
        TestCertificate certificate = TestCertificate.create(kind, issuer);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(certificate.server(), version);
                TestBalancer balancer = to(backend, issuer, Optional.empty());
                RawClient client = balancer.client()) {
            balancer.await("it is connected", () -> client.send(GET).read().status() == 200);
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void balancerMayPresentRareKey(RareKey kind, String version) throws Exception {
        TestCertificate own = TestCertificate.create(kind);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(LOCAL.server(own), version);
                TestBalancer balancer = to(backend, LOCAL, Optional.of(own));
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");

            X509Certificate shown = (X509Certificate) backend.sessions().get(0).getPeerCertificates()[0];
            assertThat(shown).isEqualTo(own.certificate());
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndVersions")
    void tcpSessionMayUseRareKeysOnBothSides(RareKey kind, String version) throws Exception {
        TestCertificate certificate = TestCertificate.create(kind);
        Path ca = certificate.write(directory, "ca").certificate();
        try (TestBackend backend =
                        TestBackend.accepting(connection -> connection.echo()).by(certificate.server(), version);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .protocol(ListenerProtocol.TCP)
                        .tls(ListenerTls.of(certificate.write(directory)))
                        .backendTls(new BackendTls(
                                Optional.of(ca), Optional.empty(), Optional.empty(), /* insecure= */ false))
                        .backend(backend)
                        .start();
                RawClient client = RawClient.connect(balancer.port(), certificate.clientOf(version), "localhost")) {
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
        }
    }

    private ListenerTls verifying(TestCertificate issuer) throws IOException {
        ClientCertificates clients =
                new ClientCertificates(issuer.write(directory, "clients").certificate(), Mode.REQUIRED);
        return new ListenerTls(
                List.of(LOCAL.write(directory)),
                TlsProfile.INTERMEDIATE,
                Optional.of(clients),
                /* hsts= */ Optional.empty());
    }

    private TestBalancer mutual(TestCertificate issuer) throws IOException {
        return BalancerSetup.on(TransportKind.NIO)
                .tls(verifying(issuer))
                .respond("/", 200, "hello")
                .start();
    }

    private TestBalancer to(TestBackend backend, TestCertificate issuer, Optional<TestCertificate> own)
            throws IOException {
        BackendTls tls = new BackendTls(
                Optional.of(issuer.write(directory, "ca").certificate()),
                Optional.empty(),
                own.isPresent() ? Optional.of(own.get().write(directory, "own")) : Optional.empty(),
                /* insecure= */ false);
        return BalancerSetup.on(TransportKind.NIO)
                .backendTls(tls)
                .backend(backend)
                .start();
    }

    private static String request(TestBalancer balancer, SSLContext client) {
        try (RawClient pending = RawClient.connect(balancer.port(), client, "localhost")) {
            return pending.send(GET).read().body();
        }
    }
}

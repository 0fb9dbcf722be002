package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackendTlsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @EachTransport
    void requestsShareVerifiedConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = secured(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(backend)
                        .loops(1)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }
            assertThat(backend.sessions()).hasSize(1);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
        }
    }

    /** BoringSSL does not offer these algorithms, so the first handshake fails. Later handshakes use the JDK's TLS. */
    @ParameterizedTest
    @EnumSource(value = Algorithm.class, names = "ed25519")
    void acceptsAllKeyTypes(Algorithm algorithm) throws Exception {
        TestCertificate certificate = TestCertificate.create(algorithm);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(certificate.server());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backendTls(trusting(certificate))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            balancer.await("it is spoken to", () -> client.send(GET).read().status() == 200);
        }
    }

    @EachTransport
    void rejectsUnverifiedBackend(TransportKind transport) throws Exception {
        try (TestBackend backend = secured(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(TestCertificate.create()))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);

            assertThat(balancer.count(Failure.CONNECT_FAILED)).isEqualTo(1);
            assertThat(balancer.connectErrors())
                    .isNotEmpty()
                    .allMatch("the certificate's issuer is not trusted"::equals);
            assertThat(backend.requests()).isEmpty();
        }
    }

    @EachTransport
    void rejectsBackendWithoutTls(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.send("HTTP/1.1 400 Bad\r\n\r\n"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);

            assertThat(balancer.connectErrors()).isNotEmpty().allMatch("the peer does not speak TLS"::equals);
        }
    }

    @EachTransport
    void rejectsBackendWithoutHttp2(TransportKind transport) throws Exception {
        try (TestBackend backend = secured(Script.ok("garbage"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(BackendProtocol.H2)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);

            assertThat(balancer.count(Failure.CONNECT_FAILED)).isEqualTo(1);
            assertThat(balancer.connectErrors()).isNotEmpty().allMatch(ConnectErrors.NO_HTTP_2::equals);
            assertThat(backend.bytes()).isZero();
        }
    }

    @EachTransport
    void usesHttp2WhenNegotiated(TransportKind transport) throws Exception {
        try (Http2TestBackend backend =
                        Http2TestBackend.playing(Http2Script.ok("hello")).by(CERTIFICATE.server(), "h2");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(BackendProtocol.H2)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(backend.address())
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(balancer.connectErrors()).isEmpty();
        }
    }

    @EachTransport
    void failedHandshakeRetriesOtherBackend(TransportKind transport) throws Exception {
        try (TestBackend untrusted = TestBackend.playing(Script.ok("no"))
                        .by(TestCertificate.create().server());
                TestBackend backend = secured(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(untrusted)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) {
                String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab";
                assertThat(client.send(post).read().body()).isEqualTo("hello");
            }
            assertThat(balancer.connectErrors()).isNotEmpty();
        }
    }

    @EachTransport
    void slowHandshakeIsConnectTimeout(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.awaitClose());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(CERTIFICATE))
                        .connections(new Connections().connectTimeout(Duration.ofMillis(200)))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(504);

            assertThat(balancer.count(Failure.CONNECT_TIMEOUT)).isEqualTo(1);
            backend.awaitConnectionEnd();
        }
    }

    @EachTransport
    void connectionDelimitedResponseNeedsCloseNotify(TransportKind transport) throws Exception {
        String untilClose = "HTTP/1.1 200 OK\r\n\r\nhello";
        try (TestBackend backend = TestBackend.playing(
                                Script.answerAndClose(untilClose), Script.answerAndCut(untilClose))
                        .by(CERTIFICATE.server());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backendTls(trusting(CERTIFICATE))
                        .backend(backend)
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            assertThat(first.send(GET).read().body()).isEqualTo("hello");

            second.send(GET).readHead();
            second.endAfterAll();
            balancer.await("seen as cut", () -> balancer.count(Failure.RESPONSE_CUT) == 1);
        }
    }

    @Test
    void certificateNameMustMatchServerName() throws Exception {
        TestCertificate other = TestCertificate.forHosts("app.internal");
        Path ca = other.write(directory, "other").certificate();
        TestCertificate nameless = TestCertificate.forOnly("app.internal");
        Path namelessCa = nameless.write(directory, "nameless").certificate();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(other.server());
                TestBackend strict = TestBackend.playing(Script.ok("hello")).by(nameless.server())) {
            assertThat(status(backend, named(ca, "app.internal"))).isEqualTo(200);
            assertThat(status(backend, named(ca, "else.internal"))).isEqualTo(502);
            assertThat(status(strict, named(namelessCa, "app.internal"))).isEqualTo(200);
            assertThat(status(strict, trusting(nameless))).as("for 127.0.0.1").isEqualTo(502);
        }
    }

    @Test
    void insecureModeAcceptsAnyBackend() throws Exception {
        BackendTls insecure =
                new BackendTls(Optional.empty(), Optional.empty(), Optional.empty(), /* insecure= */ true);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"))
                .by(TestCertificate.forOnly("other").server())) {
            assertThat(status(backend, insecure)).isEqualTo(200);
        }
    }

    @Test
    void presentsClientCertificate() throws Exception {
        TestCertificate balancer = TestCertificate.create();
        BackendTls tls = new BackendTls(
                Optional.of(CERTIFICATE.write(directory).certificate()),
                Optional.empty(),
                Optional.of(balancer.write(directory, "own")),
                /* insecure= */ false);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(CERTIFICATE.server(balancer))) {
            assertThat(status(backend, tls)).isEqualTo(200);
            X509Certificate shown = (X509Certificate) backend.sessions().get(0).getPeerCertificates()[0];
            assertThat(shown).isEqualTo(balancer.certificate());
        }
    }

    @Test
    void errorNamesUnusableFile() {
        Path missing = directory.resolve("missing.pem");

        assertThatThrownBy(() -> BalancerSetup.on(TransportKind.NIO)
                        .backend(new HostPort("127.0.0.1", 1))
                        .backendTls(named(missing, "a"))
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("pools.pool.tls: " + missing + ": no such file");
    }

    private int status(TestBackend backend, BackendTls tls) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backendTls(tls)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            return client.send(GET).read().status();
        }
    }

    private static TestBackend secured(Script script) {
        return TestBackend.playing(script).by(CERTIFICATE.server());
    }

    private BackendTls trusting(TestCertificate issuer) throws IOException {
        Path ca = issuer.write(directory, "ca").certificate();
        return new BackendTls(Optional.of(ca), Optional.empty(), Optional.empty(), /* insecure= */ false);
    }

    private static BackendTls named(Path ca, String name) {
        return new BackendTls(Optional.of(ca), Optional.of(name), Optional.empty(), /* insecure= */ false);
    }
}

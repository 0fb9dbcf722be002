package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ClientCertificates.Mode;
import io.ballast.net.config.Hsts;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenerTlsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final TestCertificate LOCAL = TestCertificate.create();

    @TempDir
    private Path directory;

    @EachTransport
    void servesSequentialRequests(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }
            assertThat(client.session().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
        }
    }

    @EachTransport
    void closeNotifyFollowsLastResponse(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED); // a truncation would throw an exception
        }
    }

    @EachTransport
    void closeNotifyIsSentToSendingClient(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            client.send("GET bad HTTP/1.1\r\n\r\n", "more", "and more");

            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
        }
    }

    @EachTransport
    void failedHandshakeIsCountedAndClosed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start();
                RawClient plain = balancer.client()) {
            plain.send("no TLS\r\n").endAfterAll();
            assertThatThrownBy(() -> RawClient.connect(
                            balancer.port(), TestCertificate.create().client(), "localhost"))
                    .isInstanceOf(UncheckedIOException.class);

            balancer.await("both are gone", () -> balancer.listener().openConnections() == 0);
            balancer.await("both are counted", () -> balancer.count(ListenerCounter.TLS_FAILED) == 2);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(2);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(2);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isZero();
        }
    }

    @EachTransport
    void stalledHandshakeEndsAtHeadDeadline(TransportKind transport) throws Exception {
        ClientDeadlines soon = new ClientDeadlines(
                Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        local(transport).deadlines(soon).backend(backend).start();
                RawClient silent = balancer.client()) {
            silent.send(new byte[] {0x16, 3, 1});

            silent.endAfterAll();
            balancer.await("it is gone", () -> balancer.listener().openConnections() == 0);
            assertThat(balancer.count(ListenerCounter.TLS_TIMED_OUT)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TLS_FAILED)).isZero();
        }
    }

    @EachTransport
    void drainClosesHandshakes(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start();
                RawClient silent = balancer.client();
                RawClient idle = connect(balancer)) {
            idle.send(GET).read(); // now the server has completed the handshake
            balancer.await("both are there", () -> balancer.listener().openConnections() == 2);

            assertThat(balancer.frontend().drain(TestTimeout.LIMIT)).isZero();

            silent.endAfterAll();
            assertThat(idle.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
        }
    }

    @Test
    void selectsCertificateByHost() throws Exception {
        TestCertificate one = TestCertificate.forHosts("one.example", "localhost");
        TestCertificate two = TestCertificate.forHosts("two.example");
        TestCertificate wild = TestCertificate.forHosts("*.wild.example", "deep.two.example");
        ListenerTls tls = tls(one.write(directory, "1"), two.write(directory, "2"), wild.write(directory, "3"));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls)
                        .backend(backend)
                        .start()) {
            assertThat(shown(balancer, one, "one.example")).isEqualTo(one.certificate());
            assertThat(shown(balancer, two, "two.example")).isEqualTo(two.certificate());
            assertThat(shown(balancer, two, "TWO.example")).isEqualTo(two.certificate());
            assertThat(shown(balancer, wild, "any.wild.example")).isEqualTo(wild.certificate());
            assertThat(shown(balancer, wild, "deep.two.example")).isEqualTo(wild.certificate());
            assertThat(shown(balancer, one, "127.0.0.1")).isEqualTo(one.certificate());
            assertThatThrownBy(() -> shown(balancer, wild, "too.deep.wild.example"))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void profileSelectsTlsVersions() throws Exception {
        TlsFiles files = LOCAL.write(directory);
        ListenerTls modern =
                new ListenerTls(List.of(files), TlsProfile.MODERN, Optional.empty(), /* hsts= */ Optional.empty());
        SSLContext old = LOCAL.clientOf("TLSv1.2");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer intermediate = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls(files))
                        .backend(backend)
                        .start();
                TestBalancer strict = BalancerSetup.on(TransportKind.NIO)
                        .tls(modern)
                        .backend(backend)
                        .start();
                RawClient client = RawClient.connect(intermediate.port(), old, "localhost")) {
            assertThat(client.session().getProtocol()).isEqualTo("TLSv1.2");
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThatThrownBy(() -> RawClient.connect(strict.port(), old, "localhost"))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void requiredClientCertificateIsVerified() throws Exception {
        TestCertificate known = TestCertificate.create();
        TestCertificate other = TestCertificate.create();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer required =
                        mutual(known, Mode.REQUIRED).backend(backend).start();
                TestBalancer optional =
                        mutual(known, Mode.OPTIONAL).backend(backend).start()) {
            assertThat(request(required, LOCAL.client(known))).isEqualTo("hello");
            assertThat(request(optional, LOCAL.client(known))).isEqualTo("hello");
            assertThat(request(optional, LOCAL.client())).isEqualTo("hello");
            // With TLS 1.3, a client detects that it was rejected only when it reads.
            assertThatThrownBy(() -> request(required, LOCAL.client())).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> request(required, LOCAL.client(other))).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> request(optional, LOCAL.client(other))).isInstanceOf(UncheckedIOException.class);
            required.await("counted", () -> required.count(ListenerCounter.TLS_FAILED) == 2);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Algorithm.class, names = "ed25519")
    void acceptsAllClientKeyTypes(Algorithm algorithm) throws Exception {
        TestCertificate known = TestCertificate.create(algorithm);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        mutual(known, Mode.REQUIRED).backend(backend).start()) {
            assertThat(request(balancer, LOCAL.client(known))).isEqualTo("hello");
        }
    }

    @Test
    void backendsGetHttpsAsProto() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(TransportKind.NIO)
                        .forwarding(Forwarding.OVERWRITE)
                        .forwardingHeaders(EnumSet.allOf(ForwardingHeader.class))
                        .backend(backend)
                        .start();
                RawClient client = connect(balancer)) {
            client.send("GET https://localhost/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read();

            assertThat(backend.nextRequest())
                    .startsWith("GET /a HTTP/1.1\r\n")
                    .contains("X-Forwarded-Proto: https\r\n", ";proto=https;host=\"localhost\"\r\n")
                    .contains("X-Forwarded-Port: " + balancer.port() + "\r\n");
        }
    }

    @Test
    void httpsTargetWithoutTlsIsRejected() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET https://localhost/a HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(400);
        }
    }

    @Test
    void responsesHaveStrictTransportSecurity() throws Exception {
        Hsts hsts = new Hsts(Duration.ofDays(365), /* includeSubdomains= */ true, /* preload= */ false);
        ListenerTls tls = new ListenerTls(
                List.of(LOCAL.write(directory)), TlsProfile.INTERMEDIATE, Optional.empty(), Optional.of(hsts));
        Script own =
                Script.answer("HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1\r\nContent-Length: 0\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(own);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls)
                        .respond("/fixed", 200, "x")
                        .backend(backend)
                        .start();
                RawClient client = connect(balancer)) {
            for (String path : List.of("/", "/fixed", "bad")) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.read().header(Hsts.HEADER)).isEqualTo("max-age=31536000; includeSubDomains");
            }
        }
    }

    @Test
    void errorNamesUnusableCertificate() throws IOException {
        TlsFiles good = LOCAL.write(directory);
        TlsFiles mixed = new TlsFiles(
                good.certificate(),
                TestCertificate.create().write(directory, "other").key());

        assertThatThrownBy(() -> BalancerSetup.on(TransportKind.NIO)
                        .tls(tls(mixed))
                        .backend(new HostPort("127.0.0.1", 1))
                        .start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("listeners[0].tls: " + mixed.key() + ": the key does not match the first certificate in "
                        + mixed.certificate());
    }

    @Test
    void expiredCertificateDoesNotAffectOtherHosts() throws Exception {
        TlsFiles expired = TestCertificate.expired("old.example").write(directory, "expired");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls(expired, LOCAL.write(directory)))
                        .backend(backend)
                        .start()) {
            assertThat(request(balancer, LOCAL.client())).isEqualTo("hello");
        }
    }

    @EachTransport
    void plainHttpOnTlsPortGets400(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = local(transport).backend(backend).start()) {
            for (String sent : List.of(
                    GET,
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                    "POST /a HTTP/1.1\r\nHost: b\r\n" + "Content-Length: 3\r\n\r\nabc")) {
                try (RawClient client = balancer.client()) {
                    client.send(sent);
                    RawResponse response = client.read();

                    assertThat(response.status()).isEqualTo(400);
                    assertThat(response.body()).contains("plain HTTP was sent to a port that speaks HTTPS");
                    assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
                }
            }
            balancer.await("all are gone", () -> balancer.listener().openConnections() == 0);
            assertThat(balancer.count(ListenerCounter.PLAIN_HTTP)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.TLS_FAILED)).isZero();
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(3);
            assertThat(backend.connections()).isZero();
        }
    }

    @Test
    void plainHttpOnTlsPortIsRedirectedIfConfigured() throws Exception {
        ListenerTls tls = new ListenerTls(
                List.of(LOCAL.write(directory)),
                TlsProfile.INTERMEDIATE,
                Optional.empty(),
                Optional.of(new Hsts(Duration.ofDays(1), /* includeSubdomains= */ false, /* preload= */ false)),
                List.of(),
                ListenerTls.PlainHttp.REDIRECT);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client();
                RawClient nameless = balancer.client()) {
            RawResponse response = client.send("GET /a?b=c HTTP/1.1\r\nHost: example.com:8443\r\n\r\n")
                    .read();

            assertThat(response.status()).isEqualTo(308);
            assertThat(response.header("Location")).isEqualTo("https://example.com:8443/a?b=c");
            assertThat(response.header(Hsts.HEADER)).as("RFC 6797 section 7.2").isNull();
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(nameless.send("GET / HTTP/1.0\r\n\r\n").read().status()).isEqualTo(400);
        }
    }

    @Test
    void tlsOnPlainPortGets400() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0});
            RawResponse response = client.read();

            assertThat(response.status()).isEqualTo(400);
            assertThat(response.body()).contains("TLS was sent to a port that speaks plain HTTP");
        }
    }

    private BalancerSetup local(TransportKind transport) throws IOException {
        return BalancerSetup.on(transport).tls(tls(LOCAL.write(directory)));
    }

    private BalancerSetup mutual(TestCertificate issuer, Mode mode) throws IOException {
        ClientCertificates clients =
                new ClientCertificates(issuer.write(directory, "clients").certificate(), mode);
        return BalancerSetup.on(TransportKind.NIO)
                .tls(new ListenerTls(
                        List.of(LOCAL.write(directory)),
                        TlsProfile.INTERMEDIATE,
                        Optional.of(clients),
                        /* hsts= */ Optional.empty()));
    }

    private static ListenerTls tls(TlsFiles... files) {
        return new ListenerTls(List.of(files), TlsProfile.INTERMEDIATE, Optional.empty(), Optional.empty());
    }

    private static RawClient connect(TestBalancer balancer) {
        return RawClient.connect(balancer.port(), LOCAL.client(), "localhost");
    }

    private static String request(TestBalancer balancer, SSLContext client) {
        try (RawClient pending = RawClient.connect(balancer.port(), client, "localhost")) {
            return pending.send(GET).read().body();
        }
    }

    private static Certificate shown(TestBalancer balancer, TestCertificate trusted, String host) throws IOException {
        try (RawClient client = RawClient.connect(balancer.port(), trusted.client(), host)) {
            return client.session().getPeerCertificates()[0];
        }
    }
}

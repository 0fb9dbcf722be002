package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.StandardConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTlsTest {

    private static final List<String> HTTP = List.of("http/1.1");

    /** A successful OCSP response that contains only the part that the server checks. */
    private static final byte[] OCSP = {0x30, 5, 0x0a, 1, 0, 5, 0};

    private final TestCertificate certificate = TestCertificate.create();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL_REFCNT"})
    void bothProvidersNegotiateProtocol(SslProvider provider) throws Exception {
        ListenerTls config = ListenerTls.of(certificate.write(directory));
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(certificate.certificate())
                .applicationProtocolConfig(Alpn.offering("h2", "http/1.1"))
                .build();
        try (ServerTls tls = ServerTls.open(config, provider, HTTP);
                EmbeddedTlsPair talk = EmbeddedTlsPair.between(
                        tls.newHandler(), client.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", 443))) {
            assertThat(talk.server().handshakeFuture().isSuccess()).isTrue();
            assertThat(talk.server().applicationProtocol()).isEqualTo("http/1.1");
            assertThat(talk.client().engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @Test
    void staplesOcspResponse() throws Exception {
        TlsFiles files = certificate.write(directory);
        Path ocsp = Files.write(directory.resolve("server.ocsp"), OCSP);
        ListenerTls config = ListenerTls.of(new TlsFiles(files.certificate(), files.key(), Optional.of(ocsp)));
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(certificate.certificate())
                .enableOcsp(true)
                .build();
        try (ServerTls tls = ServerTls.open(config, SslProvider.OPENSSL_REFCNT, HTTP);
                EmbeddedTlsPair talk = EmbeddedTlsPair.between(
                        tls.newHandler(), client.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", 443))) {
            byte[] stapled = ((ReferenceCountedOpenSslEngine) talk.client().engine()).getOcspResponse();

            assertThat(stapled).isEqualTo(OCSP);
        } finally {
            ReferenceCountUtil.release(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "not DER", "0\u0003\n\u0001\u0003"})
    void rejectsFileWithoutOcspResponse(String content) throws IOException {
        TlsFiles files = certificate.write(directory);
        Path ocsp = Files.writeString(directory.resolve("server.ocsp"), content);
        ListenerTls config = ListenerTls.of(new TlsFiles(files.certificate(), files.key(), Optional.of(ocsp)));

        assertThatThrownBy(() -> ServerTls.open(config, SslProvider.JDK, HTTP))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(ocsp + ": no successful OCSP response");
    }

    @Test
    void rotatesTicketKeysHourly() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock overflows during the test
        TicketKeys keys = new TicketKeys(now::get);
        assertThat(keys.renewIfDue()).isFalse();

        now.addAndGet(TicketKeys.LIFE.toNanos() - 1);
        assertThat(keys.renewIfDue()).isFalse();
        now.addAndGet(1);
        assertThat(keys.renewIfDue()).isTrue();
        assertThat(keys.renewIfDue()).isFalse();
    }

    @Test
    void sessionsResumeOnServersThatShareSecrets() throws Exception {
        ListenerTls config = ListenerTls.of(certificate.write(directory));
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(certificate.certificate())
                .build();
        String secret = "ab".repeat(32);
        String newer = "cd".repeat(32);
        try (ServerTls first = ServerTls.open(config, SslProvider.OPENSSL_REFCNT, HTTP);
                ServerTls second = ServerTls.open(config, SslProvider.OPENSSL_REFCNT, HTTP);
                ServerTls third = ServerTls.open(config, SslProvider.OPENSSL_REFCNT, HTTP)) {
            AtomicReference<List<String>> secrets = new AtomicReference<>(List.of());
            first.shareTicketSecrets(() -> List.of(secret));
            second.shareTicketSecrets(() -> List.of(newer, secret));
            third.shareTicketSecrets(secrets::get);
            assertThat(isResumed(first, client)).isFalse();
            assertThat(isResumed(first, client)).isTrue();
            assertThat(isResumed(second, client)).isTrue();
            assertThat(isResumed(third, client)).isFalse();

            assertThat(isResumed(second, client)).isFalse();
            secrets.set(List.of(secret, newer));
            third.refresh();
            assertThat(isResumed(third, client)).isTrue();
        }
    }

    /**
     * Connects to the server; returns whether the client resumed an earlier session. A resumed session keeps the values
     * that were stored in the original session.
     */
    private static boolean isResumed(ServerTls tls, SslContext client) {
        try (EmbeddedTlsPair talk = EmbeddedTlsPair.between(
                tls.newHandler(), client.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", 443))) {
            assertThat(talk.server().handshakeFuture().isSuccess()).isTrue();
            SSLSession session = talk.client().engine().getSession();
            boolean isKnown = session.getValue("known") != null;
            session.putValue("known", true);
            talk.sendToClient("hello");
            return isKnown;
        }
    }

    @Test
    void serversWithOtherDemandsOnClientsShareNoTickets() {
        X509Certificate issuer = certificate.certificate();
        List<String> fingerprints = List.of(
                new ServerParameters(TlsProfile.MODERN, Optional.empty(), List.of()).fingerprint(),
                new ServerParameters(TlsProfile.INTERMEDIATE, Optional.empty(), List.of()).fingerprint(),
                new ServerParameters(TlsProfile.MODERN, Optional.of(ClientCertificates.Mode.OPTIONAL), List.of(issuer))
                        .fingerprint(),
                new ServerParameters(TlsProfile.MODERN, Optional.of(ClientCertificates.Mode.REQUIRED), List.of(issuer))
                        .fingerprint(),
                new ServerParameters(
                                TlsProfile.MODERN,
                                Optional.of(ClientCertificates.Mode.REQUIRED),
                                List.of(TestCertificate.create().certificate()))
                        .fingerprint());
        assertThat(fingerprints).doesNotHaveDuplicates();
    }

    @Test
    void servesExpiredCertificateIfOnlyOne() throws Exception {
        TestCertificate expired = TestCertificate.expired();
        ListenerTls config = ListenerTls.of(expired.write(directory));
        try (ServerTls tls = ServerTls.open(config, SslProvider.JDK, HTTP)) {
            assertThat(shown(tls, "localhost")).isEqualTo(expired.certificate());
        }
    }

    @Test
    void omitsExpiredCertificateIfAnotherMatches() throws Exception {
        TestCertificate wildcard = TestCertificate.forHosts("*.example", "localhost");
        TestCertificate other = TestCertificate.forHosts("other.example");
        TestCertificate expired = TestCertificate.expired("localhost", "a.example", "b.deep.example");
        ListenerTls config = listener(
                expired.write(directory, "expired"),
                other.write(directory, "other"),
                wildcard.write(directory, "wildcard"));
        try (ServerTls tls = ServerTls.open(config, SslProvider.JDK, HTTP)) {
            assertThat(shown(tls, "localhost")).isEqualTo(wildcard.certificate());
            assertThat(shown(tls, "a.example")).isEqualTo(wildcard.certificate());
            assertThat(shown(tls, "b.deep.example")).isEqualTo(expired.certificate());
            assertThat(shown(tls, "unknown.test")).isEqualTo(other.certificate());
        }
    }

    @Test
    void expiringCertificateIsReplacedByAnother() throws Exception {
        TestCertificate soon = TestCertificate.lasting(Duration.ofDays(1), "localhost");
        TestCertificate later = TestCertificate.lasting(Duration.ofDays(10), "localhost");
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        ListenerTls config = listener(soon.write(directory, "soon"), later.write(directory, "later"));
        try (ServerTls tls = ServerTls.open(config, SslProvider.JDK, HTTP, System::nanoTime, now::get)) {
            assertThat(shown(tls, "localhost")).isEqualTo(soon.certificate());

            now.set(now.get().plus(Duration.ofDays(2)));
            tls.refresh();

            assertThat(shown(tls, "localhost")).isEqualTo(later.certificate());
        }
    }

    @Test
    void expiredCertificateMayReplaceExpiredOne() throws Exception {
        TlsFiles files = TestCertificate.expired().write(directory);
        try (ServerTls tls = ServerTls.open(ListenerTls.of(files), SslProvider.JDK, HTTP)) {
            TestCertificate next = TestCertificate.expired();
            next.write(directory);
            tls.refresh();

            assertThat(tls.contexts().get(0).identity().certificate()).isEqualTo(next.certificate());
        }
    }

    /** Tests host names with a final dot. Java's own TLS implementation would reject them if it parsed the name. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL_REFCNT"})
    void ignoresFinalDotOfHost(SslProvider provider) throws Exception {
        TestCertificate first = TestCertificate.forHosts("first.example");
        TestCertificate second = TestCertificate.forHosts("second.example", "*.wild.example");
        ListenerTls config = listener(first.write(directory, "1"), second.write(directory, "2"));
        try (ServerTls tls = ServerTls.open(config, provider, HTTP)) {
            assertThat(shown(tls, "second.example.")).isEqualTo(second.certificate());
            assertThat(shown(tls, "a.wild.example.")).isEqualTo(second.certificate());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL_REFCNT"})
    void servesRsaAndEcdsaCertificates(SslProvider provider) throws Exception {
        TestCertificate ecdsa = TestCertificate.create(Algorithm.ecp256);
        TestCertificate rsa = TestCertificate.create(Algorithm.rsa2048);
        ListenerTls config = listener(ecdsa.write(directory, "ecdsa"), rsa.write(directory, "rsa"));
        try (ServerTls tls = ServerTls.open(config, provider, HTTP)) {
            assertThat(shown(tls, "localhost")).isEqualTo(ecdsa.certificate());
            assertThat(shown(tls, "localhost", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isEqualTo(ecdsa.certificate());
            assertThat(shown(tls, "localhost", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
                    .isEqualTo(rsa.certificate());
            assertThat(shown(tls, "unknown.test", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"))
                    .isEqualTo(rsa.certificate());
        }
    }

    private static ListenerTls listener(TlsFiles... files) {
        return new ListenerTls(List.of(files), TlsProfile.INTERMEDIATE, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the certificate that a client gets.
     *
     * @param ciphers TLS 1.2 ciphers; if there are any, the client uses TLS 1.2
     */
    private static X509Certificate shown(ServerTls tls, String host, String... ciphers) throws Exception {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE);
        if (ciphers.length > 0) {
            builder.protocols("TLSv1.2").ciphers(List.of(ciphers));
        }
        // Netty's handler removes the final dot, so the name is set separately.
        SslHandler client = builder.build().newHandler(UnpooledByteBufAllocator.DEFAULT);
        SSLParameters parameters = client.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("");
        parameters.setServerNames(List.of(new RawServerName(host)));
        client.engine().setSSLParameters(parameters);
        try (EmbeddedTlsPair talk = EmbeddedTlsPair.between(tls.newHandler(), client)) {
            return (X509Certificate) talk.client().engine().getSession().getPeerCertificates()[0];
        }
    }

    /** A raw host name; Java's own type would reject a final dot. */
    private static final class RawServerName extends SNIServerName {

        RawServerName(String host) {
            super(StandardConstants.SNI_HOST_NAME, host.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void reloadRejectsExpiredCertificate() throws Exception {
        TlsFiles files = certificate.write(directory);
        try (ServerTls tls = ServerTls.open(ListenerTls.of(files), SslProvider.JDK, HTTP)) {
            TestCertificate.expired().write(directory);
            tls.refresh();

            assertThat(tls.contexts().get(0).identity().certificate()).isEqualTo(certificate.certificate());
        }
    }
}

package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChallengeCertificatesTest {

    private static final String ACME = "acme-tls/1";
    private static final String HTTP = "http/1.1";
    private static final String HOST = "shop.example";

    private final TestCertificate usual = TestCertificate.forHosts(HOST);
    private final TestCertificate challenge = TestCertificate.forHosts(HOST);
    private final ChallengeCertificates challenges = new ChallengeCertificates();

    @TempDir
    private Path directory;

    private ServerTls tls;

    @BeforeEach
    void open() throws Exception {
        tls = ServerTls.open(ListenerTls.of(usual.write(directory)), SslProvider.OPENSSL_REFCNT, List.of(HTTP));
        tls.answerChallenges(challenges);
        challenges.put(HOST, new TlsIdentity(challenge.key(), List.of(challenge.certificate())));
    }

    @AfterEach
    void close() {
        challenges.remove(HOST);
        tls.close();
    }

    @Test
    void certificateAuthorityGetsChallengeCertificate() throws Exception {
        try (EmbeddedTlsPair talk = connect(HOST, ACME)) {
            assertThat(talk.client().applicationProtocol()).isEqualTo(ACME);
            assertThat(received(talk)).isEqualTo(challenge.certificate());
        }
    }

    @Test
    void otherClientsGetUsualCertificate() throws Exception {
        try (EmbeddedTlsPair talk = connect(HOST, HTTP)) {
            assertThat(talk.client().applicationProtocol()).isEqualTo(HTTP);
            assertThat(received(talk)).isEqualTo(usual.certificate());
        }
    }

    @Test
    void challengeOfOtherHostIsNotAnswered() throws Exception {
        try (EmbeddedTlsPair talk = connect("other.example", ACME)) {
            assertThat(talk.client().applicationProtocol()).isNull();
            assertThat(received(talk)).isEqualTo(usual.certificate());
        }
    }

    @Test
    void removedChallengeIsNotAnswered() throws Exception {
        challenges.remove(HOST);

        try (EmbeddedTlsPair talk = connect(HOST, ACME)) {
            assertThat(talk.client().applicationProtocol()).isNull();
            assertThat(received(talk)).isEqualTo(usual.certificate());
        }
    }

    private EmbeddedTlsPair connect(String host, String protocol) throws Exception {
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .applicationProtocolConfig(Alpn.offering(protocol))
                .build();
        return EmbeddedTlsPair.between(
                tls.newHandler(), client.newHandler(UnpooledByteBufAllocator.DEFAULT, host, 443));
    }

    private static X509Certificate received(EmbeddedTlsPair talk) throws Exception {
        return (X509Certificate) talk.client().engine().getSession().getPeerCertificates()[0];
    }
}

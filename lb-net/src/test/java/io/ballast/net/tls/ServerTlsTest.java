package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.ListenerTls;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTlsTest {

    private static final List<String> HTTP = List.of("http/1.1");

    /** A successful answer, as far as anybody looks at it here. */
    private static final byte[] OCSP = {0x30, 5, 0x0a, 1, 0, 5, 0};

    private final TestCertificate certificate = TestCertificate.create();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL_REFCNT"})
    void eitherImplementationAgreesOnAProtocol(SslProvider provider) throws Exception {
        ListenerTls config = ListenerTls.of(certificate.write(directory));
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(certificate.certificate())
                .applicationProtocolConfig(Alpn.offering("h2", "http/1.1"))
                .build();
        try (ServerTls tls = ServerTls.open(config, provider, HTTP);
                TlsTalk talk = TlsTalk.between(
                        tls.newHandler(UnpooledByteBufAllocator.DEFAULT),
                        client.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", 443))) {
            assertThat(talk.server().handshakeFuture().isSuccess()).isTrue();
            assertThat(talk.server().applicationProtocol()).isEqualTo("http/1.1");
            assertThat(talk.client().engine().getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @Test
    void answerOfTheIssuerGoesWithTheCertificate() throws Exception {
        TlsFiles files = certificate.write(directory);
        Path ocsp = Files.write(directory.resolve("server.ocsp"), OCSP);
        ListenerTls config = ListenerTls.of(new TlsFiles(files.certificate(), files.key(), Optional.of(ocsp)));
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(certificate.certificate())
                .enableOcsp(true)
                .build();
        try (ServerTls tls = ServerTls.open(config, SslProvider.OPENSSL_REFCNT, HTTP);
                TlsTalk talk = TlsTalk.between(
                        tls.newHandler(UnpooledByteBufAllocator.DEFAULT),
                        client.newHandler(UnpooledByteBufAllocator.DEFAULT, "localhost", 443))) {
            byte[] stapled = ((ReferenceCountedOpenSslEngine) talk.client().engine()).getOcspResponse();

            assertThat(stapled).isEqualTo(OCSP);
        } finally {
            ReferenceCountUtil.release(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "not DER", "0\u0003\n\u0001\u0003"})
    void fileWithoutAnAnswerIsRefused(String content) throws IOException {
        TlsFiles files = certificate.write(directory);
        Path ocsp = Files.writeString(directory.resolve("server.ocsp"), content);
        ListenerTls config = ListenerTls.of(new TlsFiles(files.certificate(), files.key(), Optional.of(ocsp)));

        assertThatThrownBy(() -> ServerTls.open(config, SslProvider.JDK, HTTP))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(ocsp + ": no successful OCSP response");
    }

    @Test
    void keysOfSessionsAreReplacedEveryHour() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap round
        TicketKeys keys = new TicketKeys(now::get);
        assertThat(keys.renewed()).isFalse();

        now.addAndGet(TicketKeys.LIFE.toNanos() - 1);
        assertThat(keys.renewed()).isFalse();
        now.addAndGet(1);
        assertThat(keys.renewed()).isTrue();
        assertThat(keys.renewed()).isFalse();
    }

    @Test
    void expiredCertificateIsRefusedWhenFilesChangeToo() throws Exception {
        TlsFiles files = certificate.write(directory);
        try (ServerTls tls = ServerTls.open(ListenerTls.of(files), SslProvider.JDK, HTTP)) {
            TestCertificate.expired().write(directory);
            tls.refresh();

            assertThat(tls.contexts().get(0).identity().certificate()).isEqualTo(certificate.certificate());
        }
    }
}

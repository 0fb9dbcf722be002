package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.Future;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that a TLS 1.2 client cannot renegotiate on a connection. */
class RenegotiationTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL_REFCNT"})
    void rejectsRenegotiation(SslProvider provider) throws Exception {
        TestCertificate certificate = TestCertificate.create();
        TlsFiles files = certificate.write(directory);
        SslContext pending = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.2")
                .trustManager(certificate.certificate())
                .endpointIdentificationAlgorithm("")
                .build();
        try (TlsContext context = TlsContext.open(files, provider, List.of("http/1.1"));
                EmbeddedTlsPair talk = EmbeddedTlsPair.between(
                        context.newHandler(UnpooledByteBufAllocator.DEFAULT),
                        pending.newHandler(UnpooledByteBufAllocator.DEFAULT))) {
            SslHandler client = talk.client();
            assertThat(client.handshakeFuture().isSuccess()).isTrue();
            assertThat(client.engine().getSession().getProtocol()).isEqualTo("TLSv1.2");

            Future<Channel> again = client.renegotiate();
            talk.goOnAsFarAsTheyGet();

            assertThat(again.isSuccess()).isFalse();
        }
    }
}

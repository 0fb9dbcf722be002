package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnDemandContextsTest implements HostCertificates {

    private static final String HOST = "shop.example";
    private static final String OTHER = "new.example";
    private static final int MAX_CONTEXTS = 5;
    private static final int MAX_WAITING = 7;
    private static final TestCertificate CONFIGURED = TestCertificate.forHosts(HOST);
    private static final TestCertificate FOUND = TestCertificate.forHosts(OTHER);

    private final List<String> asked = new ArrayList<>();
    private final List<String> renewed = new ArrayList<>();
    private CompletableFuture<Optional<TlsFiles>> result = new CompletableFuture<>();

    @TempDir
    private Path directory;

    private ServerTls tls;

    @BeforeEach
    void open() throws Exception {
        tls = ServerTls.open(ListenerTls.of(CONFIGURED.write(directory)), SslProvider.OPENSSL_REFCNT, List.of());
        tls.findOnDemand(() -> this, new OnDemandContexts.Bounds(MAX_CONTEXTS, MAX_WAITING));
    }

    @AfterEach
    void close() {
        tls.close();
    }

    @Override
    public CompletableFuture<Optional<TlsFiles>> find(String host) {
        asked.add(host);
        return result;
    }

    @Override
    public void renewIfDue(String host, X509Certificate certificate) {
        renewed.add(host);
    }

    @Override
    public Executor executor() {
        return Runnable::run;
    }

    @Test
    void handshakeWaitsForCertificate() throws Exception {
        try (EmbeddedTlsPair talk = connect(OTHER)) {
            assertThat(talk.isServerReady()).isFalse();

            result.complete(Optional.of(FOUND.write(directory, "found")));
            talk.goOn();

            assertThat(received(talk)).isEqualTo(FOUND.certificate());
        }
    }

    @Test
    void foundCertificateIsKept() throws Exception {
        result.complete(Optional.of(FOUND.write(directory, "found")));
        for (int i = 0; i < 3; i++) {
            try (EmbeddedTlsPair talk = connect(OTHER)) {
                talk.goOn();
                assertThat(received(talk)).isEqualTo(FOUND.certificate());
            }
        }

        assertThat(asked).containsExactly(OTHER);
    }

    @Test
    void configuredHostIsNotAskedFor() throws Exception {
        try (EmbeddedTlsPair talk = connect(HOST)) {
            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void hostWithoutCertificateGetsConfiguredOne() throws Exception {
        result.complete(Optional.empty());

        try (EmbeddedTlsPair talk = connect(OTHER)) {
            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
    }

    @Test
    void waitIsBounded() throws Exception {
        try (EmbeddedTlsPair talk = connect(OTHER)) {
            talk.advance(Duration.ofSeconds(OnDemandContexts.MAX_WAIT_SECONDS).minusMillis(1));
            assertThat(talk.isServerReady()).isFalse();

            talk.advance(Duration.ofMillis(1));
            talk.goOn();

            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
        result.complete(Optional.of(FOUND.write(directory, "found")));
        try (EmbeddedTlsPair talk = connect(OTHER)) {
            talk.goOn();
            assertThat(received(talk)).isEqualTo(FOUND.certificate());
        }
    }

    @Test
    void clientThatDisconnectsWhileItWaitsIsForgotten() throws Exception {
        EmbeddedTlsPair talk = connect(OTHER);
        talk.close();

        result.complete(Optional.of(FOUND.write(directory, "found")));

        try (EmbeddedTlsPair next = connect(OTHER)) {
            next.goOn();
            assertThat(received(next)).isEqualTo(FOUND.certificate());
        }
    }

    @Test
    void boundsWaitingHandshakes() throws Exception {
        List<EmbeddedTlsPair> waiting = new ArrayList<>();
        for (int i = 0; i < MAX_WAITING; i++) {
            waiting.add(connect(OTHER));
        }

        try (EmbeddedTlsPair talk = connect(OTHER)) {
            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
        waiting.forEach(EmbeddedTlsPair::close);
        result.complete(Optional.empty());
    }

    @Test
    void unusableFileIsNoCertificate() throws Exception {
        Path broken = Files.writeString(directory.resolve("broken.pem"), "no certificate");
        result.complete(Optional.of(new TlsFiles(broken, broken)));

        try (EmbeddedTlsPair talk = connect(OTHER)) {
            talk.goOn();
            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
    }

    @Test
    void deletedFileIsForgotten() throws Exception {
        TlsFiles files = FOUND.write(directory, "found");
        result.complete(Optional.of(files));
        connect(OTHER).close();
        Files.delete(files.certificate());

        tls.refresh();
        result = CompletableFuture.completedFuture(Optional.empty());

        try (EmbeddedTlsPair talk = connect(OTHER)) {
            assertThat(received(talk)).isEqualTo(CONFIGURED.certificate());
        }
        assertThat(asked).hasSize(2);
    }

    @Test
    void onlyCertificatesInUseAreRenewed() throws Exception {
        result.complete(Optional.of(FOUND.write(directory, "found")));
        connect(OTHER).close();

        for (int i = 0; i < 200; i++) {
            tls.refresh();
        }
        assertThat(renewed).containsExactly(OTHER);

        connect(OTHER).close();
        for (int i = 0; i < 60; i++) {
            tls.refresh();
        }
        assertThat(renewed).containsExactly(OTHER, OTHER);
    }

    @Test
    void oldestCertificateIsRemovedAndFoundAgain() throws Exception {
        result.complete(Optional.of(FOUND.write(directory, "found")));
        for (int i = 0; i <= MAX_CONTEXTS; i++) {
            connect("n" + i + ".example").close();
        }
        for (int i = 0; i < 20; i++) {
            tls.refresh();
        }

        connect("n0.example").close();
        connect("n" + MAX_CONTEXTS + ".example").close();

        assertThat(asked).hasSize(MAX_CONTEXTS + 2);
    }

    private EmbeddedTlsPair connect(String host) throws Exception {
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build();
        SslHandler asking = client.newHandler(UnpooledByteBufAllocator.DEFAULT, host, 443);
        return EmbeddedTlsPair.between(tls.newHandler(), asking);
    }

    private static X509Certificate received(EmbeddedTlsPair talk) throws Exception {
        return (X509Certificate) talk.client().engine().getSession().getPeerCertificates()[0];
    }
}

package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpTlsReloadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    private Path directory;

    /** The certificates that servers sent in full handshakes. In resumed sessions, servers send no certificate. */
    private final List<Certificate> shown = new CopyOnWriteArrayList<>();

    @Test
    void newConnectionsUseNewCertificate() throws Exception {
        TestCertificate second = TestCertificate.create();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(TestCertificate.create(), backend);
                RawClient old = RawClient.connect(balancer.port(), client(), "localhost")) {
            old.send(GET).read();

            second.write(directory);
            balancer.await("the new one is shown", () -> {
                request(balancer, client());
                return shown.get(shown.size() - 1).equals(second.certificate());
            });

            assertThat(old.send(GET).read().body()).isEqualTo("hello");
        }
    }

    @Test
    void clientResumesSession() throws Exception {
        SSLContext returning = client();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(TestCertificate.create(), backend)) {
            request(balancer, returning);
            request(balancer, returning);

            assertThat(shown).hasSize(1);
        }
    }

    private TestBalancer start(TestCertificate certificate, TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .tls(ListenerTls.of(certificate.write(directory)))
                .backend(backend)
                .start();
    }

    private static void request(TestBalancer balancer, SSLContext client) {
        try (RawClient pending = RawClient.connect(balancer.port(), client, "localhost")) {
            assertThat(pending.send(GET).read().body()).isEqualTo("hello");
        }
    }

    /** A client that caches sessions, trusts all certificates and records them. */
    private SSLContext client() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new RecordingTrustManager()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no TLS", e);
        }
    }

    private final class RecordingTrustManager implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("only certificates of servers are verified");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            shown.add(chain[0]);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

package io.ballast.policy.jwt.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ballast.net.fetch.CaFile;
import io.ballast.net.fetch.FetchClients;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyDownloadTest {

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final FetchClients clients = new FetchClients();
    private final HttpServer server;

    KeyDownloadTest() throws IOException {
        server = HttpServer.create(LOOPBACK, 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String download(int status, String body) throws Exception {
        server.createContext("/", respond(status, body));
        return new KeyDownload(
                        URI.create("http://localhost:" + server.getAddress().getPort() + "/keys"),
                        clients.of(Optional.empty()))
                .get()
                .get();
    }

    private HttpHandler respond(int status, String body) {
        return exchange -> {
            requests.add(exchange.getRequestURI().getPath());
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Location", "/moved");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    @Test
    void returnsTheText() throws Exception {
        assertThat(download(200, "{\"keys\":[\"ü\"]}")).isEqualTo("{\"keys\":[\"ü\"]}");
        assertThat(requests).containsExactly("/keys");
    }

    @Test
    void doesNotFollowRedirects() {
        assertThatThrownBy(() -> download(302, "moved")).hasMessageContaining("status 302, a redirect");
        assertThat(requests).containsExactly("/keys");
    }

    @Test
    void otherStatusIsAFailure() {
        assertThatThrownBy(() -> download(500, "{}")).hasMessageContaining("status 500");
    }

    @Test
    void setAboveOneMebibyteIsAFailure() throws Exception {
        assertThat(download(200, "x".repeat(KeyDownload.MAX_BYTES))).hasSize(KeyDownload.MAX_BYTES);
        server.removeContext("/");
        assertThatThrownBy(() -> download(200, "x".repeat(KeyDownload.MAX_BYTES + 1)))
                .hasMessageContaining("larger than 1048576 bytes");
    }

    @Test
    void certificateOfServerIsVerified() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        HttpsServer https = HttpsServer.create(LOOPBACK, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        https.createContext("/", respond(200, "{}"));
        https.start();
        try {
            URI url = URI.create("https://localhost:" + https.getAddress().getPort() + "/keys");
            CaFile ca = CaFile.parse(Path.of("ca.pem"), certificate.certificatePem());

            assertThat(new KeyDownload(url, clients.of(Optional.of(ca))).get().get())
                    .isEqualTo("{}");
            assertThatThrownBy(() -> new KeyDownload(url, clients.of(Optional.empty()))
                            .get()
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .satisfies(e -> assertThat(e.getCause()).isInstanceOf(SSLHandshakeException.class));
        } finally {
            https.stop(0);
        }
    }
}

package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.compose.Balancer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that unmodified configuration files of Divisor have the same meaning in Ballast. */
class DivisorMeaningTest {

    private static final String HOST = "127.0.0.1";
    private static final int MAX_BODY = 4 * 1024 * 1024;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int failures;
    private volatile String lastHead = "";
    private ServerSocket backend;

    @TempDir
    private Path directory;

    @BeforeEach
    void startBackend() throws IOException {
        backend = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        threads.execute(() -> {
            while (!backend.isClosed()) {
                try {
                    Socket connection = backend.accept();
                    threads.execute(() -> serve(connection));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        backend.close();
        threads.shutdownNow();
    }

    /** Reads one request, and answers it unless the test wants it to fail. */
    private void serve(Socket connection) {
        try (connection) {
            InputStream in = connection.getInputStream();
            StringBuilder head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return; // a health check sends no request
                }
                head.append((char) b);
            }
            lastHead = head.toString();
            if (requests.incrementAndGet() <= failures) {
                return;
            }
            int length = lastHead.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                    .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                    .findFirst()
                    .orElse(0);
            if (lastHead.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked")) {
                in.transferTo(OutputStream.nullOutputStream()); // an incomplete body ends with the connection
                return;
            }
            in.skipNBytes(length);
            connection
                    .getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                            .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // the balancer has closed the connection
        }
    }

    @Test
    void rejectsBodyAboveDivisorLimit() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        TlsFiles files = certificate.write(directory);
        try (Balancer balancer = start("server: {http_version: http2, cert_file: " + files.certificate()
                + ", key_file: " + files.key() + "}\n")) {
            HttpClient http2 =
                    HttpClient.newBuilder().sslContext(certificate.client()).build();

            assertThat(post(http2, balancer, BodyPublishers.ofByteArray(new byte[MAX_BODY]))
                            .statusCode())
                    .isEqualTo(200);
        }
        try (Balancer balancer = start("")) {
            int port = balancer.http().port(0);
            assertThat(raw(port, "Content-Length: " + MAX_BODY, MAX_BODY)).startsWith("HTTP/1.1 200");
            assertThat(raw(port, "Content-Length: " + (MAX_BODY + 1), 0)).startsWith("HTTP/1.1 413");
            assertThat(raw(port, "Transfer-Encoding: chunked", MAX_BODY + 1)).startsWith("HTTP/1.1 413");
        }
    }

    private static String raw(int port, String length, int bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            boolean isChunked = length.startsWith("Transfer");
            String head = "POST /x HTTP/1.1\r\nHost: a\r\n" + length + "\r\n\r\n"
                    + (isChunked ? Integer.toHexString(bytes) + "\r\n" : "");
            try {
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(new byte[bytes]);
            } catch (IOException e) {
                // the balancer refused the request before all of it was sent; the test checks the response
            }
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void timeHasMilliseconds() throws Exception {
        try (Balancer balancer = start("custom_headers: {X-Req-Time: $time}\n")) {
            assertThat(get(balancer)).isEqualTo(200);
        }

        assertThat(lastHead).containsPattern("(?i)x-req-time: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z\r\n");
    }

    @Test
    void failedGetIsSentFiveTimes() throws Exception {
        try (Balancer balancer = start("")) {
            failures = 4;
            assertThat(get(balancer)).isEqualTo(200);
            assertThat(requests).hasValue(5);
        }
        requests.set(0);
        try (Balancer balancer = start("")) {
            failures = 5;
            assertThat(get(balancer)).isEqualTo(502);
            assertThat(requests).hasValue(5);
        }
    }

    @Test
    void failedPostIsNotRetried() throws Exception {
        failures = 1;
        try (Balancer balancer = start("")) {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri("http", balancer))
                                    .POST(BodyPublishers.ofString("x"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(502);
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void offersHttp2OnlyIfConfigured() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        TlsFiles files = certificate.write(directory);
        String tls = "cert_file: " + files.certificate() + ", key_file: " + files.key();

        assertThat(agreed(certificate, "server: {" + tls + "}\n")).isEqualTo("http/1.1");
        assertThat(agreed(certificate, "server: {http_version: http1, " + tls + "}\n"))
                .isEqualTo("http/1.1");
        assertThat(agreed(certificate, "server: {http_version: http2, " + tls + "}\n"))
                .isEqualTo("h2");
    }

    private String agreed(TestCertificate certificate, String text) throws Exception {
        try (Balancer balancer = start(text);
                SSLSocket socket = (SSLSocket) certificate
                        .client()
                        .getSocketFactory()
                        .createSocket(HOST, balancer.http().port(0))) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getApplicationProtocol();
        }
    }

    private Balancer start(String more) throws Exception {
        String text =
                "host: " + HOST + "\nport: 0\nmonitoring: {host: 127.0.0.1, port: 0}\nbackends:\n  - url: 127.0.0.1:"
                        + backend.getLocalPort() + "\n" + more;
        Balancer balancer = Balancer.start(new ConfigLoader(name -> null)
                .load("divisor.yaml", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .config());
        return balancer;
    }

    private static int get(Balancer balancer) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri("http", balancer)).build(), BodyHandlers.ofString())
                .statusCode();
    }

    private static HttpResponse<String> post(HttpClient client, Balancer balancer, HttpRequest.BodyPublisher body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri("https", balancer)).POST(body).build(), BodyHandlers.ofString());
    }

    private static URI uri(String scheme, Balancer balancer) throws Exception {
        return URI.create(scheme + "://" + HOST + ":" + balancer.http().port(0) + "/x");
    }
}

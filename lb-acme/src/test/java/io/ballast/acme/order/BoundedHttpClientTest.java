package io.ballast.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.shredzone.acme4j.connector.NetworkSettings;

class BoundedHttpClientTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final HttpServer server;

    @FunctionalInterface
    private interface Answer {
        void send(HttpExchange exchange) throws IOException, InterruptedException;
    }

    BoundedHttpClientTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpResponse<InputStream> get(Duration deadline, Answer answer) throws Exception {
        server.createContext("/", exchange -> {
            try (exchange) {
                answer.send(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        return new BoundedHttpClient(HttpClient.newHttpClient(), deadline)
                .send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofInputStream());
    }

    private static void begin(HttpExchange exchange, String text, long length) throws IOException {
        exchange.sendResponseHeaders(200, length);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    @Test
    void returnsTheBody() throws Exception {
        HttpResponse<InputStream> response = get(LONG, exchange -> begin(exchange, "{}", 2));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).hasContent("{}");
    }

    @Test
    void bodyThatDoesNotEndIsCutOff() {
        assertThatThrownBy(() -> get(SHORT, exchange -> {
                    begin(exchange, "{", 2);
                    end.await();
                }))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("no complete response");
    }

    @Test
    void bodyWithoutEndIsCutOff() {
        assertThatThrownBy(() -> get(LONG, exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    OutputStream body = exchange.getResponseBody();
                    byte[] piece = new byte[8192];
                    while (end.getCount() > 0) {
                        body.write(piece);
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than " + BoundedHttpClient.MAX_BYTES + " bytes");
    }

    @Test
    void contentCodingIsRefused() {
        assertThatThrownBy(() -> get(LONG, exchange -> {
                    exchange.getResponseHeaders().add("Content-Encoding", "gzip");
                    begin(exchange, "{}", 2);
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("content coding");
    }

    @Test
    void failureKeepsItsKind() {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build();

        assertThatThrownBy(() -> new BoundedHttpClient(HttpClient.newHttpClient(), LONG)
                        .send(request, BodyHandlers.ofInputStream()))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void clientOfAnyDirectoryIsBounded() throws Exception {
        assertThat(BoundedAcmeProvider.open(Optional.empty()).createHttpClient(new NetworkSettings()))
                .isInstanceOf(BoundedHttpClient.class);
    }
}

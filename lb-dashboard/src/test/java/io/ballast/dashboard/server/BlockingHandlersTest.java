package io.ballast.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dashboard.server.EndpointConfig.Audience;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests slow handlers, and the requests that arrive while a slow handler runs. */
class BlockingHandlersTest {

    private final AdminServer server = new AdminServer();
    private Endpoint endpoint;
    private final BlockingHandlers blockingHandlers = new BlockingHandlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    @BeforeEach
    void start() throws IOException {
        Handler slow = request -> {
            started.countDown();
            await(mayAnswer);
            return AdminResponse.text(HttpResponseStatus.OK, "slow");
        };
        Handler refuse = request -> {
            throw HttpProblem.badRequest("not like this");
        };
        Handler fail = request -> {
            throw new IllegalStateException("expected in this test");
        };
        Router router = new Router()
                .get("/slow", blockingHandlers.wrap(slow))
                .get("/refuse", blockingHandlers.wrap(refuse))
                .get("/fail", blockingHandlers.wrap(fail))
                .get("/readyz", request -> AdminResponse.text(HttpResponseStatus.OK, "ready"));
        endpoint = server.addEndpoint(router, Authenticator.OPEN, () -> {});
        endpoint.start(new EndpointConfig(
                "test", new HostPort("127.0.0.1", 0), Optional.empty(), Audience.THIS_MACHINE, List.of()));
    }

    @AfterEach
    void close() {
        mayAnswer.countDown();
        blockingHandlers.close();
        server.close();
    }

    @Test
    void readinessIsAnsweredDuringASlowHandler() throws Exception {
        CompletableFuture<HttpResponse<String>> slow = send("/slow");
        await(started);

        assertThat(send("/readyz").get(10, TimeUnit.SECONDS).body()).isEqualTo("ready\n");
        assertThat(slow).isNotDone();
        mayAnswer.countDown();

        assertThat(slow.get(10, TimeUnit.SECONDS).body()).isEqualTo("slow\n");
    }

    @Test
    void pipelinedRequestsWaitForTheSlowHandler() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(10_000);
            String request = "GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n";
            String pipelined = request.formatted("slow", "")
                    + request.formatted("readyz", "")
                    + request.formatted("slow", "Connection: close\r\n");
            socket.getOutputStream().write(pipelined.getBytes(StandardCharsets.US_ASCII));
            await(started);
            mayAnswer.countDown();

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers).containsSubsequence("\r\nslow\n", "\r\nready\n", "\r\nslow\n");
        }
    }

    @Test
    void requestsBeyondTheLimitGetA503() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        waiting.add(send("/slow"));
        await(started);
        for (int i = 0; i <= BlockingHandlers.MAX_WAITING; i++) {
            waiting.add(send("/slow"));
        }

        CompletableFuture<?> first = CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new));

        assertThat(((HttpResponse<?>) first.get(10, TimeUnit.SECONDS)).statusCode())
                .isEqualTo(503);
    }

    @Test
    void problemsAndDefectsAreAnswered() throws Exception {
        assertThat(send("/refuse").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(400);
        assertThat(send("/fail").get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
    }

    private CompletableFuture<HttpResponse<String>> send(String path) {
        URI uri = URI.create("http://127.0.0.1:" + port() + path);
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int port() {
        return endpoint.address().orElseThrow().getPort();
    }
}

package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.process.ProcessEnd;
import io.ballast.server.process.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the process ends when one of its event loops ends or hangs. */
class ThreadFailureTest {

    private static final int NO_CODE = -1;

    @TempDir
    private Path directory;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(strings = {"auto", "epoll", "nio"})
    void endedEventLoopEndsProcessWithOwnExitCode(String transport) throws Exception {
        ProcessEnd end = new ProcessEnd(stop, halted::complete);
        Balancer balancer = Balancer.start(config(transport), end::onThreadFailure);
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread main = new Thread(() -> code.complete(serve(balancer, end)), "main of the test");
        main.start();

        endOneLoop(balancer);

        assertThat(CompletableFuture.anyOf(code, halted).get(60, TimeUnit.SECONDS))
                .isEqualTo(ProcessEnd.EX_SOFTWARE);
        assertThat(stop.getCount()).isZero();
    }

    @Test
    void hangingEventLoopEndsProcess() throws Exception {
        ProcessEnd end = new ProcessEnd(stop, halted::complete);
        Balancer balancer = Balancer.start(config("auto"), end::onThreadFailure);
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread main = new Thread(() -> code.complete(serve(balancer, end)), "main of the test");
        main.start();
        CompletableFuture<Void> released = new CompletableFuture<>();

        balancer.workers().all().get(1).eventLoop().execute(released::join);

        try {
            assertThat(CompletableFuture.anyOf(code, halted).get(2, TimeUnit.MINUTES))
                    .isEqualTo(ProcessEnd.EX_SOFTWARE);
        } finally {
            released.complete(null);
        }
    }

    @Test
    void healthzReportsThreadFailure() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        try (Balancer balancer = Balancer.start(config("auto"), failure -> reason.complete(failure.text()))) {
            assertThat(balancer.awaitFirstChecks(Duration.ofSeconds(10))).isTrue();
            assertThat(get(balancer, "/healthz").statusCode()).isEqualTo(200);

            endOneLoop(balancer);

            assertThat(reason.get(30, TimeUnit.SECONDS)).isEqualTo("thread worker-1 ended");
            for (String path : new String[] {"/healthz", "/readyz"}) {
                HttpResponse<String> answer = get(balancer, path);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).contains("thread worker-1 ended");
            }
        }
    }

    private static void endOneLoop(Balancer balancer) throws InterruptedException {
        balancer.workers()
                .all()
                .get(1)
                .eventLoop()
                .shutdownGracefully(0, 0, TimeUnit.SECONDS)
                .sync();
    }

    private int serve(Balancer balancer, ProcessEnd end) {
        try {
            return ServerProcess.serve(balancer, stop, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NO_CODE;
        }
    }

    private static HttpResponse<String> get(Balancer balancer, String path) throws Exception {
        String address =
                "http://127.0.0.1:" + balancer.dashboardAddress().orElseThrow().getPort();
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address + path)).build(), BodyHandlers.ofString());
    }

    private BallastConfig config(String transport) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
                transport: %s
                event_loops: 2
                grace: 1s
                dashboard: {bind: "127.0.0.1:0"}
                listeners:
                  - bind: "127.0.0.1:0"
                    routes: [{respond: {status: 200}}]
                """.formatted(transport));
        return ConfigLoader.ofProcess().load(file).config();
    }
}

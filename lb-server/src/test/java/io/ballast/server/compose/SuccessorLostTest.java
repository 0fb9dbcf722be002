package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.process.ProcessEnd;
import io.ballast.server.process.ServerProcess;
import io.ballast.server.testing.ExclusiveLoopback;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a takeover, the draining process must end if its successor dies. */
class SuccessorLostTest {

    private static final int NO_CODE = -1;

    @TempDir
    private Path directory;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();
    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** The process may drain for ten minutes; clients without a balancer must not wait that long. */
    @Test
    @Timeout(120)
    void endsInOrderWithFailureExitCode() throws Exception {
        HttpServer backend = neverAnswers();
        int port = ExclusiveLoopback.freePort();
        ProcessEnd end = new ProcessEnd(stop, halted::complete);
        Balancer balancer = Balancer.start(ConfigLoader.ofProcess()
                .load(Files.writeString(directory.resolve("lb.yaml"), """
                        event_loops: 1
                        grace: 10m
                        dashboard: {enabled: false}
                        listeners: [{bind: "%s:%d", pool: web}]
                        pools: {web: {backends: ["127.0.0.1:%d"], connections: {response_timeout: 10m}}}
                        """.formatted(
                        ExclusiveLoopback.HOST, port, backend.getAddress().getPort())))
                .config());
        CompletableFuture<Integer> code = new CompletableFuture<>();
        new Thread(() -> code.complete(serve(balancer, end)), "main of the test").start();
        try (Socket client = new Socket(ExclusiveLoopback.HOST, port)) {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            requested.await();
            stop.countDown();
            awaitRefusal(port);

            new Thread(() -> end.onSuccessorLost("process 1 ended", balancer), "watch of the test").start();

            assertThat(code.get(60, TimeUnit.SECONDS)).isEqualTo(ProcessEnd.EX_SOFTWARE);
        } finally {
            release.countDown();
            backend.stop(0);
        }
    }

    /** Waits until no client is accepted any more, which means that the drain has begun. */
    private static void awaitRefusal(int port) throws Exception {
        while (true) {
            try (Socket late = new Socket(ExclusiveLoopback.HOST, port)) {
                late.setSoLinger(/* on= */ true, 0);
            } catch (ConnectException e) {
                return;
            } catch (SocketException e) {
                // The listener accepted the client, then disconnected it when it closed.
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private HttpServer neverAnswers() throws Exception {
        HttpServer backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            requested.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        backend.start();
        return backend;
    }

    private int serve(Balancer balancer, ProcessEnd end) {
        try {
            return ServerProcess.serve(balancer, stop, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NO_CODE;
        }
    }
}

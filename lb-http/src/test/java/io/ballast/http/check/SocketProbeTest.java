package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.FullBacklog;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SocketProbeTest {

    private static final HealthCheck TCP = new HealthCheck.Tcp();
    private static final HealthCheck HTTP = new HealthCheck.Http(
            "GET", "/health", Optional.empty(), List.of(new StatusRange(200, 299), new StatusRange(304, 304)));
    private static final Duration SHORT = Duration.ofMillis(200);

    @EachTransport
    void tcpCheckPassesWithListener(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""))) {
            ProbeResult result = probe(transport, backend.address(), TCP, TestTimeout.LIMIT);

            assertThat(result.ok()).isTrue();
            assertThat(result.text()).isEqualTo("connected");
        }
    }

    @EachTransport
    void refusedConnectionFailsAllChecks(TransportKind transport) throws Exception {
        for (HealthCheck check : List.of(TCP, HTTP)) {
            ProbeResult result = probe(transport, ClosedPort.find(), check, TestTimeout.LIMIT);

            assertThat(result.ok()).isFalse();
            assertThat(result.text()).isEqualTo("connection refused");
        }
    }

    @EachTransport
    void distinguishesUnreachableHostFromRefusal(TransportKind transport) throws Exception {
        ProbeResult result = probe(transport, new HostPort("255.255.255.255", 80), TCP, TestTimeout.LIMIT);

        assertThat(result.ok()).isFalse();
        assertThat(result.text()).isIn("network unreachable", "no route to host");
    }

    @EachTransport
    void unacceptedConnectionFailsAtDeadline(TransportKind transport) throws Exception {
        try (FullBacklog full = new FullBacklog()) {
            assumeTrue(full.isFull(), "this system's backlog has no end");

            ProbeResult result = probe(transport, full.address(), TCP, SHORT);

            assertThat(result.ok()).isFalse();
            assertThat(result.text()).isEqualTo("no answer within 200 ms");
            assertThat(result.duration()).isGreaterThanOrEqualTo(SHORT);
        }
    }

    @EachTransport
    void httpCheckEvaluatesStatus(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 204 No Content\r\n\r\n"))) {
            ProbeResult result = probe(transport, backend.address(), HTTP, TestTimeout.LIMIT);

            assertThat(result.ok()).isTrue();
            assertThat(result.text()).isEqualTo("204 No Content");
            assertThat(backend.nextRequest())
                    .startsWith("GET /health HTTP/1.1\r\nHost: host:1\r\n")
                    .contains("\r\nConnection: close\r\n");
        }
    }

    /** The status suffices for a result, but closing a socket with unread data resets the connection. */
    @EachTransport
    void readsRestOfResponseBeforeClose(TransportKind transport) throws Exception {
        CompletableFuture<Integer> ending = new CompletableFuture<>();
        CountDownLatch evaluated = new CountDownLatch(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread backend = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.setSoTimeout((int) TestTimeout.LIMIT.toMillis());
                    readHead(socket);
                    byte[] body = new byte[20 * 1024];
                    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + 2 * body.length + "\r\n\r\n";
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().write(body);
                    evaluated.await();
                    socket.getOutputStream().write(body);
                    socket.shutdownOutput();
                    ending.complete(socket.getInputStream().read());
                } catch (IOException | InterruptedException e) {
                    ending.completeExceptionally(e);
                }
            });
            backend.start();

            ProbeResult result = CheckRun.of(
                    NettyTransport.choose(transport),
                    new HostPort("127.0.0.1", server.getLocalPort()),
                    HTTP,
                    TestTimeout.LIMIT,
                    /* searches= */ Runnable::run,
                    () -> {
                        evaluated.countDown();
                        assertThat(ending.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                                .as("the end of the stream, not a reset")
                                .isEqualTo(-1);
                    });

            assertThat(result.ok()).isTrue();
        }
    }

    private static void readHead(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) socket.getInputStream().read());
        }
    }

    @EachTransport
    void unexpectedStatusFailsAndIsNamed(TransportKind transport) throws Exception {
        assertThat(httpCheck(transport, Script.answer("HTTP/1.1 304 Not Modified\r\n\r\n"))
                        .ok())
                .isTrue();
        assertThat(httpCheck(transport, Script.answer("HTTP/1.1 503 Busy\r\n\r\n"))
                        .text())
                .isEqualTo("status 503 Busy (expected: 200-299, 304)");
        assertThat(httpCheck(transport, Script.answer("HTTP/1.1 300 X\r\n\r\n")).ok())
                .isFalse();
    }

    @EachTransport
    void junkAndSilenceFail(TransportKind transport) throws Exception {
        assertThat(httpCheck(transport, Script.answer("SSH-2.0-x\r\n")).text()).isEqualTo("not an HTTP response");
        assertThat(httpCheck(transport, Script.answer("x".repeat(2_000))).text())
                .isEqualTo("not an HTTP response");
        assertThat(httpCheck(transport, Script.answerAndClose("")).text())
                .isEqualTo("connection closed without a response");
        assertThat(httpCheck(transport, Script.answerAndReset("")).ok()).isFalse();
    }

    @EachTransport
    void tricklingResponseFailsAtDeadline(TransportKind transport) throws Exception {
        Script trickle = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 ").send("200 O").awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(trickle)) {
            ProbeResult result = CheckRun.of(
                    NettyTransport.choose(transport),
                    backend.address(),
                    HTTP,
                    SHORT,
                    Runnable::run,
                    backend::awaitConnectionEnd);

            assertThat(result.text()).isEqualTo("no answer within 200 ms");
        }
    }

    private static ProbeResult httpCheck(TransportKind transport, Script script) throws Exception {
        try (TestBackend backend = TestBackend.playing(script)) {
            return probe(transport, backend.address(), HTTP, TestTimeout.LIMIT);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void checksUnixSocket(@TempDir Path directory) throws Exception {
        UnixSocket address = new UnixSocket(directory.resolve("app.sock").toString());
        try (TestBackend backend = TestBackend.playing(address, Script.answer("HTTP/1.1 204 No Content\r\n\r\n"))) {
            assertThat(probe(TransportKind.EPOLL, address, TCP, TestTimeout.LIMIT)
                            .ok())
                    .isTrue();
            assertThat(probe(TransportKind.EPOLL, address, HTTP, TestTimeout.LIMIT)
                            .ok())
                    .isTrue();
            assertThat(backend.requests()).hasSize(1);
        }

        ProbeResult removed = probe(TransportKind.EPOLL, address, TCP, TestTimeout.LIMIT);

        assertThat(removed.ok()).isFalse();
        assertThat(removed.text()).isEqualTo("socket file does not exist");
    }

    @Test
    void checksShareLoopExceptWithTls() throws Exception {
        HealthCheck secured = new HealthCheck.Secured(
                TCP, BackendTls.DEFAULT, Optional.of(BackendProtocol.HTTP1), new HostPort("127.0.0.1", 1));
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                Workers workers = Workers.start(
                        NettyTransport.choose(TransportKind.NIO), /* count= */ 2, new SplittableRandom(1))) {
            SocketProbe probe = new SocketProbe(workers, PoolTls.NONE, Runnable::run);

            assertThat(loops(probe, backend, TCP, 32)).hasSize(1);
            assertThat(loops(probe, backend, TCP, 64)).hasSize(2);
            assertThat(loops(probe, backend, secured, 2)).hasSize(2);
        }
    }

    /** Returns the threads on which {@code count} checks end. */
    private static Set<Thread> loops(SocketProbe probe, TestBackend backend, HealthCheck check, int count)
            throws Exception {
        SocketAddress target = CheckRun.socketAddress(backend.address());
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch ended = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            probe.start(
                    target,
                    check,
                    /* hostHeader= */ "",
                    TestTimeout.LIMIT,
                    result -> {
                        threads.add(Thread.currentThread());
                        ended.countDown();
                    });
        }
        assertThat(ended.await(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        return threads;
    }

    private static ProbeResult probe(TransportKind transport, Address target, HealthCheck check, Duration timeout)
            throws Exception {
        return CheckRun.of(transport, target, check, timeout);
    }
}

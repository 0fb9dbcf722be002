package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.SocketHandover;
import io.ballast.server.reload.Reloadable;
import io.ballast.server.testing.ExclusiveLoopback;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests two balancers in this process; the second takes over from the first. */
class BalancerTakeOverTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* backlog= */ 0);
    private final String backend = "127.0.0.1:" + server.getAddress().getPort();
    private final int front = ExclusiveLoopback.freePort();
    private final int dashboard = ExclusiveLoopback.freePort();

    @TempDir
    private Path directory;

    BalancerTakeOverTest() throws IOException {
        server.createContext("/", exchange -> {
            byte[] body = "answer".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void successorTakesOverridesAndDashboard() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        BallastConfig config = config();
        try (Balancer first = Balancer.start(config)) {
            assertThat(order("drain?confirm=true").statusCode()).isEqualTo(200);
            first.handOver().blockChanges();
            try (Balancer next = follow(config, first)) {
                assertThat(next.awaitFirstChecks(TIMEOUT)).isTrue();
                next.handOver().startServing();
                assertThat(next.dashboardAddress()).isEmpty();

                first.handOver().release();
                next.handOver().activate();

                assertThat(next.dashboardAddress()).isPresent();
                assertThat(get(dashboard, "/stats").body()).contains("\"state\":\"draining\"");
                assertThat(order("enable").statusCode()).isEqualTo(200);
                assertThat(get(front, "/").body()).isEqualTo("answer");
            }
        }
        assertThat(directory.resolve("data/operator.json")).content().doesNotContain(backend);
    }

    @Test
    void successorTakesExternalOverrides() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        BallastConfig config = config();
        String path = "/api/v1/overrides/web/" + backend;
        try (Balancer first = Balancer.start(config)) {
            HttpRequest set = request(dashboard, "PUT", path + "?state=drain&source=probe&confirm=true");
            assertThat(client.send(set, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            first.handOver().blockChanges();
            try (Balancer next = follow(config, first)) {
                assertThat(next.awaitFirstChecks(TIMEOUT)).isTrue();
                next.handOver().startServing();
                first.handOver().release();
                next.handOver().activate();

                assertThat(get(dashboard, "/stats").body()).contains("\"state\":\"draining\"");
                HttpRequest remove = request(dashboard, "DELETE", path + "?source=probe");
                assertThat(client.send(remove, HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
                assertThat(get(front, "/").body()).isEqualTo("answer");
            }
        }
        assertThat(directory.resolve("data/operator.json")).content().doesNotContain(backend);
    }

    /** The next process knows all changes made before it read the file, and owns the file for later changes. */
    @Test
    void successorTakesBackendEdits() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        BallastConfig config = config();
        String more = "127.0.0.1:7";
        try (Balancer first = Balancer.start(config)) {
            assertThat(edit("POST", "?address=" + more).statusCode()).isEqualTo(200);
            first.handOver().blockChanges();
            assertThat(directory.resolve("data/backends.json")).content().contains(more);
            CompletableFuture<HttpResponse<String>> held = client.sendAsync(
                    request(dashboard, "DELETE", "/api/v1/pools/web/backends/" + more),
                    HttpResponse.BodyHandlers.ofString());
            try (Balancer next = follow(config, first)) {
                assertThat(next.awaitFirstChecks(TIMEOUT)).isTrue();
                next.handOver().startServing();
                assertThat(held).isNotDone();
                first.handOver().release();
                next.handOver().activate();

                assertThat(get(dashboard, "/stats").body()).contains(more);
                assertThat(edit("DELETE", "/" + more).statusCode()).isEqualTo(200);
            }
        }
        assertThat(directory.resolve("data/backends.json")).content().doesNotContain(more);
    }

    /** The handover fails, because the next process would read outdated overrides from the file. */
    @Test
    void handoverFailsWhileOverridesCannotBeWritten() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Balancer first = Balancer.start(config())) {
            Path file = directory.resolve("data/operator.json");
            assertThat(order("down?confirm=true").statusCode()).isEqualTo(200);
            first.handOver().blockChanges();
            first.handOver().allowChanges();
            Files.delete(file);
            Path obstacle = Files.createDirectories(file.resolve("in-its-place"));
            assertThat(order("drain?confirm=true").statusCode()).isEqualTo(200);

            assertThatThrownBy(first.handOver()::blockChanges).hasMessageContaining("cannot write overrides to ");

            Files.delete(obstacle);
            Files.delete(file);
            first.handOver().blockChanges();
            assertThat(file).content().contains("drain");
        }
    }

    /**
     * Changes in the next process wait for the takeover, because the previous process still owns resources such as the
     * address of the dashboard.
     */
    @Test
    void earlyChangesAreAppliedAfterTakeover() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        BallastConfig config = load(
                """
                listeners: [{bind: "HOST:%d", pool: web}]
                pools: {web: {discover: [{type: file, path: "%s", allow_local: true}]}}
                dashboard: {bind: "HOST:%d"}
                """.formatted(front, Files.writeString(directory.resolve("list.yaml"), "backends: []"), dashboard));
        try (Balancer first = Balancer.start(config)) {
            first.handOver().blockChanges();
            Files.writeString(directory.resolve("list.yaml"), "backends: [\"" + backend + "\"]");
            try (Balancer next = follow(config, first)) {
                next.handOver().startServing();
                CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {}, next.changes());
                first.handOver().release();
                assertThat(changes).isNotDone();
                next.handOver().activate();

                changes.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                StartedBalancer.await(() -> get(front, "/").statusCode() == 200);
            }
        }
    }

    /**
     * Both processes serve the address: existing sessions stay in the old process, new sessions start in the next
     * process.
     */
    @Test
    void udpSocketsAreHandedOverAndSessionsContinue() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (DatagramSocket echo = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket early = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket late = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> echo(echo));
            answering.setDaemon(true);
            answering.start();
            BallastConfig config = load("""
                listeners: [{bind: "HOST:%d", protocol: udp, pool: echo}]
                pools: {echo: {backends: ["127.0.0.1:%d"], health: {type: none}}}
                dashboard: {bind: "HOST:%d"}
                """.formatted(front, echo.getLocalPort(), dashboard));
            try (Balancer first = Balancer.start(config)) {
                assertThat(exchange(early, "one")).isEqualTo("one");
                first.handOver().blockChanges();
                try (Balancer next = follow(config, first)) {
                    next.handOver().startServing();
                    first.handOver().release();
                    next.handOver().activate();

                    for (int i = 0; i < 50; i++) {
                        assertThat(exchange(late, "late" + i)).isEqualTo("late" + i);
                        assertThat(exchange(early, "early" + i)).isEqualTo("early" + i);
                    }
                }
            }
        }
    }

    /** A process that started without UDP listeners may use io_uring, which cannot hand over UDP sockets. */
    @Test
    void automaticTransportIsChosenAgain() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable() && IoUring.isAvailable());
        try (DatagramSocket echo = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket pending = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> echo(echo));
            answering.setDaemon(true);
            answering.start();
            String udp = """
                listeners: [{bind: "HOST:%d", pool: web}, {bind: "HOST:%d", protocol: udp, pool: echo}]
                pools:
                  web: {backends: ["%s"], health: {timeout: 1m}}
                  echo: {backends: ["127.0.0.1:%d"], health: {type: none}}
                dashboard: {bind: "HOST:%d"}
                """.formatted(front, front, backend, echo.getLocalPort(), dashboard);
            try (Balancer first = Balancer.start(config())) {
                assertThat(first.workers().loops().transport().kind()).isEqualTo(TransportKind.IO_URING);
                try (Reloadable.Preparation change = first.prepare(load(udp))) {
                    change.commit();
                    change.releasePrevious();
                }
                assertThat(exchange(pending, "before")).isEqualTo("before");
                first.handOver().blockChanges();
                try (Balancer next = follow(load(udp), first)) {
                    assertThat(next.workers().loops().transport().kind()).isEqualTo(TransportKind.EPOLL);
                    assertThat(next.awaitFirstChecks(TIMEOUT)).isTrue();
                    next.handOver().startServing();
                    first.handOver().release();
                    next.handOver().activate();

                    for (int i = 0; i < 50; i++) {
                        try (DatagramSocket late = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                            assertThat(exchange(late, "late" + i)).isEqualTo("late" + i);
                        }
                        assertThat(exchange(pending, "early" + i)).isEqualTo("early" + i);
                    }
                    assertThat(get(front, "/").body()).isEqualTo("answer");
                }
            }
        }
    }

    /** If the file requires io_uring, the next process would use io_uring, too. */
    @Test
    void configuredTransportIsKept() throws Exception {
        Assumptions.assumeTrue(IoUring.isAvailable());
        BallastConfig config = load("""
            transport: io_uring
            listeners: [{bind: "HOST:%d", protocol: udp, pool: web}]
            pools: {web: {backends: ["%s"], health: {type: none}}}
            dashboard: {enabled: false}
            """.formatted(front, backend));
        try (Balancer balancer = Balancer.start(config)) {
            assertThatThrownBy(balancer.handOver()::blockChanges)
                    .hasMessageContaining("transport: io_uring (expected: auto or epoll");
        }
    }

    private static void echo(DatagramSocket socket) {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        try {
            while (true) {
                packet.setLength(100);
                socket.receive(packet);
                socket.send(packet);
            }
        } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
        }
    }

    private String exchange(DatagramSocket from, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        from.setSoTimeout((int) TIMEOUT.toMillis());
        from.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(ExclusiveLoopback.HOST), front));
        DatagramPacket answer = new DatagramPacket(new byte[100], 100);
        from.receive(answer);
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII);
    }

    /** A restart that is impossible is refused before a process is started. */
    @Test
    void rejectsTransportWithoutHandover() throws Exception {
        BallastConfig config = load("""
            transport: nio
            listeners: [{bind: "HOST:%d", pool: web}]
            pools: {web: {backends: ["%s"], health: {timeout: 1m}}}
            dashboard: {enabled: false}
            """.formatted(front, backend));
        try (Balancer balancer = Balancer.start(config)) {
            assertThatThrownBy(balancer.handOver()::blockChanges)
                    .hasMessage("transport: nio (expected: epoll or io_uring, whose sockets can be handed over)");

            balancer.prepare(config).close(); // reloads still work
        }
    }

    /** The next process does not wait for a port that an unrelated process uses. */
    @Test
    void dashboardAddressInUsePreventsStart() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(ExclusiveLoopback.HOST));
                Balancer first = Balancer.start(config())) {
            BallastConfig next = load("""
                listeners: [{bind: "HOST:%d", pool: web}]
                pools: {web: {backends: ["%s"], health: {timeout: 1m}}}
                dashboard: {bind: "HOST:%d"}
                """.formatted(front, backend, taken.getLocalPort()));
            first.handOver().blockChanges();

            assertThatThrownBy(() -> follow(next, first)).hasMessageContaining("the port is already in use");

            first.handOver().allowChanges();
            assertThat(get(front, "/").body()).isEqualTo("answer");
        }
    }

    @Test
    void overridesWaitAndReloadsAreRejectedDuringHandover() throws Exception {
        BallastConfig config = config();
        try (Balancer balancer = Balancer.start(config)) {
            assertThat(balancer.awaitFirstChecks(TIMEOUT)).isTrue();
            balancer.handOver().blockChanges();
            CompletableFuture<HttpResponse<String>> order = client.sendAsync(
                    request(dashboard, "POST", "/api/v1/pools/web/backends/" + backend + "/drain?confirm=true"),
                    HttpResponse.BodyHandlers.ofString());
            assertThatThrownBy(() -> balancer.prepare(config)).hasMessageContaining("a restart is in progress");
            assertThat(get(dashboard, "/stats").body()).contains("\"state\":\"up\"");
            assertThat(order).isNotDone();

            balancer.handOver().allowChanges();

            assertThat(order.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
            balancer.prepare(config).close();
        }
    }

    private BallastConfig config() throws Exception {
        return load("""
            listeners: [{bind: "HOST:%d", pool: web}]
            pools: {web: {backends: ["%s"], health: {timeout: 1m}}}
            dashboard: {bind: "HOST:%d"}
            """.formatted(front, backend, dashboard));
    }

    private BallastConfig load(String text) throws Exception {
        Path file = Files.writeString(
                directory.resolve("lb.yaml"),
                "data_dir: " + directory.resolve("data") + "\n" + text.replace("HOST", ExclusiveLoopback.HOST));
        return ConfigLoader.ofProcess().load(file).config();
    }

    private static Balancer follow(BallastConfig config, Balancer first) throws IOException {
        HandOver handOver = first.handOver();
        return Balancer.follow(
                config, failure -> {}, SocketHandover.on(handOver.sharedSockets(), handOver.vacatedPorts()));
    }

    private HttpResponse<String> edit(String method, String rest) throws IOException, InterruptedException {
        return client.send(
                request(dashboard, method, "/api/v1/pools/web/backends" + rest), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> order(String verb) throws IOException, InterruptedException {
        return client.send(
                request(dashboard, "POST", "/api/v1/pools/web/backends/" + backend + "/" + verb),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return client.send(request(port, "GET", path), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(int port, String method, String path) {
        return HttpRequest.newBuilder(URI.create("http://" + ExclusiveLoopback.HOST + ":" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
    }
}

package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.backend.BackendState;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process with Unix sockets. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class UnixSocketsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path directory;

    @Test
    void listenerUsesEpollAndIsShownByPath() throws Exception {
        Path path = directory.resolve("web.sock");
        try (Balancer balancer = start("""
                listeners:
                  - name: web
                    bind: unix:%s
                    socket: {mode: 0600}
                    routes: [{respond: {status: 200, body: hello}}]
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(path))) {
            assertThat(balancer.workers().loops().transport().kind()).isEqualTo(TransportKind.EPOLL);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(request(path)).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(get(balancer, "/stats")).contains("\"addr\":\"unix:" + path + "\"");

            assertThat(balancer.shutDown(Duration.ZERO, Duration.ofSeconds(10))).isZero();

            assertThat(path).doesNotExist();
        }
    }

    @Test
    void backendIsCheckedAndShownByPath() throws Exception {
        Path front = directory.resolve("web.sock");
        Path app = directory.resolve("app.sock");
        try (Balancer backend = start("""
                listeners: [{bind: "unix:%s", routes: [{respond: {status: 200, body: from the app}}]}]
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(app));
                Balancer balancer = start("""
                listeners: [{bind: "unix:%s", pool: app}]
                pools: {app: {backends: ["unix:%s"], health: {type: http}}}
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(front, app))) {
            assertThat(balancer.topology()
                            .pool("app")
                            .members()
                            .get(0)
                            .backend()
                            .health()
                            .state())
                    .isEqualTo(BackendState.UP);
            assertThat(request(front)).endsWith("from the app");
            assertThat(get(balancer, "/metrics")).contains("backend=\"unix:" + app + "\"");
            String encoded = URLEncoder.encode("unix:" + app, StandardCharsets.UTF_8);
            assertThat(get(balancer, "/api/v1/pools/app/backends/" + encoded))
                    .contains("\"addr\":\"unix:" + app + "\"");
            assertThat(backend.http().listeners()).hasSize(1);
        }
    }

    @Test
    void socketOfOtherProcessPreventsStart() throws Exception {
        Path path = directory.resolve("web.sock");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            assertThatThrownBy(() -> start("""
                    listeners: [{bind: "unix:%s", routes: [{respond: {status: 204}}]}]
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(path)))
                    .isInstanceOf(BindException.class)
                    .hasMessage("cannot listen on unix:" + path + ": another process is listening on the socket");
            assertThat(path).exists();
        }
    }

    private Balancer start(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), text);
        Balancer balancer = Balancer.start(ConfigLoader.ofProcess().load(file).config());
        balancer.awaitFirstChecks(Duration.ofSeconds(20));
        return balancer;
    }

    private static String request(Path path) throws IOException {
        ByteBuffer answer = ByteBuffer.allocate(64 * 1024);
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            client.write(ByteBuffer.wrap(GET.getBytes(StandardCharsets.US_ASCII)));
            while (client.read(answer) >= 0) {}
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
    }

    private static String get(Balancer balancer, String path) throws IOException, InterruptedException {
        int port = balancer.dashboardAddress().orElseThrow().getPort();
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}

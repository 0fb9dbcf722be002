package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.Importer;
import io.ballast.config.imports.haproxy.HaproxyImporter;
import io.ballast.config.imports.nginx.NginxImporter;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import io.ballast.server.testing.ExclusiveLoopback;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends the same requests through HAProxy or nginx, and through Ballast with the configuration imported from
 * its file. They must reach the same backends with the same path. Skipped where the other balancer is not
 * installed.
 */
class ImportedTrafficTest {

    private static final Path FILES = Path.of("../lb-cli/src/test/resources/import");
    private static final List<String> HOSTS =
            List.of("a.example.com", "b.example.com", "x.b.example.com", "other.test");
    private static final List<String> PATHS = List.of(
            "/",
            "/static",
            "/static/x",
            "/static/b",
            "/static/b/c",
            "/v1/x",
            "/only",
            "/api/",
            "/api/x",
            "/api/exact",
            "/api/x.php",
            "/fixed/x",
            "/fixed/x.php",
            "/x.php",
            "/app/y",
            "/app/y.php",
            "/old/z",
            "/none?q=1",
            "/wp",
            "/wp-admin",
            "/wp-content/x",
            "/WP-admin",
            "/admin.php",
            "/Admin/x",
            "/Status",
            "/x.BAK",
            "/.well-known/x",
            "/appendix",
            "/api/deep.php",
            "/api/deeper",
            "/near",
            "/shut",
            "/open",
            "/less");

    /** Gives the other balancer about a minute to start listening. */
    private static final int TRIES = 3000;

    private final Map<String, HttpServer> backends = new LinkedHashMap<>();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        backends.values().forEach(backend -> backend.stop(0));
    }

    @Test
    void requestsMatchHaproxy() throws Exception {
        assumeTrue(isInstalled("haproxy"), "no HAProxy");
        int port = ExclusiveLoopback.freePort();
        Path file = foreign("haproxy/order.cfg", port);

        compare(file, new HaproxyImporter(), port, List.of("haproxy", "-db", "-f", file.toString()));
    }

    @Test
    void requestsMatchNginx() throws Exception {
        assumeTrue(isInstalled("nginx"), "no nginx");
        int port = ExclusiveLoopback.freePort();
        Path file = foreign("nginx/order.conf", port);
        Path whole = Files.writeString(
                directory.resolve("whole.conf"),
                "daemon off; pid " + directory
                        + "/pid; error_log stderr; "
                        + Files.readString(file)
                                .replace(
                                        "http {",
                                        "http { access_log off;"
                                                + " client_body_temp_path " + directory + "/body; proxy_temp_path "
                                                + directory + "/proxy;"
                                                + " fastcgi_temp_path " + directory + "/f; uwsgi_temp_path " + directory
                                                + "/u;"
                                                + " scgi_temp_path " + directory + "/s;"));

        compare(file, new NginxImporter(), port, List.of("nginx", "-c", whole.toString(), "-p", directory.toString()));
    }

    private void compare(Path file, Importer importer, int port, List<String> command) throws Exception {
        Map<String, String> there = new LinkedHashMap<>();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        try {
            for (int i = 0; i < TRIES && !isOpen(port) && process.isAlive(); i++) {
                process.waitFor(20, TimeUnit.MILLISECONDS);
            }
            assertThat(process.isAlive())
                    .as(Files.readString(directory.resolve("log")))
                    .isTrue();
            request(port, there);
        } finally {
            process.destroy();
            process.waitFor(10, TimeUnit.SECONDS);
        }

        String written = importer.read(file, new ImportReport()).toYaml(new ImportReport());
        String onFreePort = written.replace(ExclusiveLoopback.HOST + ":" + port, ExclusiveLoopback.HOST + ":0");
        Map<String, String> here = new LinkedHashMap<>();
        try (Balancer balancer = Balancer.start(new ConfigLoader(name -> null)
                .load(
                        "imported",
                        new ByteArrayInputStream(
                                (onFreePort + "dashboard: {enabled: false}\n").getBytes(StandardCharsets.UTF_8)))
                .config())) {
            request(balancer.http().port(0), here);
        }

        assertThat(here).containsExactlyEntriesOf(there);
    }

    /** Puts the status, and the body or the location, of each request into {@code answers}. */
    private static void request(int port, Map<String, String> answers) throws IOException {
        for (String host : HOSTS) {
            for (String path : PATHS) {
                answers.put(host + path, request(port, host, path));
            }
        }
    }

    private static String request(int port, String host, String path) throws IOException {
        try (Socket socket = new Socket(ExclusiveLoopback.HOST, port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String status = answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
            String location = answer.lines()
                    .filter(line -> line.regionMatches(/* ignoreCase= */ true, 0, "location: ", 0, 10))
                    .map(line -> line.substring(10).replaceFirst("^https?://[^/]*", ""))
                    .findFirst()
                    .orElse("");
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            return status + " " + (status.equals("200") ? body : location);
        }
    }

    /**
     * Copies the file, with free ports for the balancer and for its backends. The backends answer with their name and
     * the path.
     */
    private Path foreign(String name, int port) throws IOException {
        String text =
                Files.readString(FILES.resolve(name)).replace("127.0.0.1:8080", ExclusiveLoopback.HOST + ":" + port);
        for (String backend : new ArrayList<>(List.of("9001", "9002", "9003"))) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
            server.createContext("/", exchange -> {
                byte[] body = (backend + " " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            backends.put(backend, server);
            text = text.replace(
                    "127.0.0.1:" + backend, "127.0.0.1:" + server.getAddress().getPort());
        }
        return Files.writeString(directory.resolve(Path.of(name).getFileName()), text);
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(ExclusiveLoopback.HOST, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isInstalled(String program) {
        return List.of("/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/").stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place + program)));
    }
}

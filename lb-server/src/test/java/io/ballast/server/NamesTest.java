package io.ballast.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.control.Event;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.names.LoopbackDns;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** The whole process, with a DNS server that says other things while it runs. */
class NamesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";
    private static final int TTL = 1;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService handlers = Executors.newCachedThreadPool();
    private final CountDownLatch slowArrived = new CountDownLatch(1);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final List<HttpServer> servers = new ArrayList<>();
    private final LoopbackDns dns = new LoopbackDns();

    @TempDir
    private Path directory;

    private @Nullable Balancer balancer;

    NamesTest() throws IOException {}

    @AfterEach
    void close() {
        slowMayEnd.countDown();
        if (balancer != null) {
            balancer.close();
        }
        servers.forEach(server -> server.stop(0));
        handlers.shutdownNow();
        dns.close();
    }

    @Test
    void newRequestsGoWhereTheNameLeadsNowAndOldOnesEnd() throws Exception {
        int port = backend(FIRST, 0);
        backend(SECOND, port);
        dns.set("app.test", TTL, FIRST);
        start(port);
        CompletableFuture<HttpResponse<String>> slow = client.sendAsync(request("/slow"), bodies());
        assertThat(slowArrived.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        dns.set("app.test", TTL, SECOND);

        await(() -> get().equals(SECOND));
        assertThat(addressInDns()).isEqualTo(SECOND);
        assertThat(events()).contains("web/app.test:" + port + " moves from 127.0.0.1 to 127.0.0.2");
        assertThat(slow).isNotDone();
        slowMayEnd.countDown();
        assertThat(slow.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body()).isEqualTo(FIRST);
    }

    @Test
    void nameWithoutAddressAtTheStartComesUpLater() throws Exception {
        int port = backend(FIRST, 0);
        start(port);
        HealthStatus status = health();
        assertThat(status.state().label()).isEqualTo("down");
        assertThat(status.reason()).isEqualTo("no address: app.test");
        assertThat(ask("/").statusCode()).isEqualTo(503);

        dns.set("app.test", TTL, FIRST);

        await(() -> get().equals(FIRST));
        assertThat(events())
                .contains(
                        "web/app.test:" + port + " down: no address: app.test",
                        "web/app.test:" + port + " has an address now: 127.0.0.1");
    }

    @Test
    void failedLookUpsChangeNothing() throws Exception {
        int port = backend(FIRST, 0);
        dns.set("app.test", TTL, FIRST);
        start(port);
        dns.failing(true);
        int asked = dns.asked();

        await(() -> dns.asked() > asked + 1);

        assertThat(get()).isEqualTo(FIRST);
        assertThat(health().state().label()).isEqualTo("up");
    }

    // ---- what they share

    private void start(int port) throws Exception {
        Path file = directory.resolve("lb.yaml");
        Files.writeString(file, """
                listeners:
                  - {bind: "127.0.0.1:0", pool: web}
                pools:
                  web:
                    backends: ["app.test:%d"]
                    health: {type: tcp, interval: 1s, fast_interval: 100ms, rise: 1}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: example.test
                      services: [{name: www, pool: web, ttl: 10s}]
                dashboard: {enabled: false}
                """.formatted(port));
        Balancer started = Balancer.start(ConfigLoader.ofProcess().load(file).config(), dns.lookup(), death -> {});
        balancer = started;
        assertThat(started.awaitFirstChecks(PATIENCE)).isTrue();
    }

    private HealthStatus health() {
        return requireNonNull(balancer)
                .topology()
                .pool("web")
                .members()
                .get(0)
                .backend()
                .health();
    }

    private List<String> events() {
        return requireNonNull(balancer).control().timeline().recent().stream()
                .map(NamesTest::text)
                .toList();
    }

    private static String text(Event event) {
        return event.subject() + " " + event.text();
    }

    private String addressInDns() throws Exception {
        SimpleResolver resolver = new SimpleResolver(
                requireNonNull(balancer).dns().orElseThrow().addresses().get(0));
        String[] found = {""};
        await(() -> {
            Message answer = resolver.send(
                    Message.newQuery(Record.newRecord(Name.fromString("www.example.test."), Type.A, DClass.IN)));
            found[0] = ((ARecord) answer.getSection(Section.ANSWER).get(0))
                    .getAddress()
                    .getHostAddress();
            return !found[0].equals(FIRST);
        });
        return found[0];
    }

    private String get() throws IOException, InterruptedException {
        return ask("/").body();
    }

    private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        return client.send(request(path), bodies());
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + requireNonNull(balancer).http().port(0) + path))
                .build();
    }

    private static HttpResponse.BodyHandler<String> bodies() {
        return HttpResponse.BodyHandlers.ofString();
    }

    /** Answers with its address, under {@code /slow} when it may. */
    private int backend(String address, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
        server.setExecutor(handlers);
        server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/slow")) {
                slowArrived.countDown();
                awaitEnd();
            }
            byte[] body = address.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private void awaitEnd() {
        try {
            slowMayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}

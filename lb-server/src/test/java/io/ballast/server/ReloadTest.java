package io.ballast.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.core.control.Event;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.control.Reloader;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.config.LoadedConfig;
import io.ballast.server.reload.ConfigReloader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole process, whose file is replaced while it runs. */
class ReloadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<AutoCloseable> closing = new ArrayList<>();

    @TempDir
    private Path directory;

    private int one;
    private int two;
    private @Nullable Balancer balancer;
    private @Nullable Reloader reloader;

    @BeforeEach
    void startBackends() throws IOException {
        one = backend("one");
        two = backend("two");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = closing.size() - 1; i >= 0; i--) {
            closing.get(i).close();
        }
        servers.forEach(server -> server.stop(0));
    }

    @Test
    void requestsGoToTheNextPoolAndNoneFails() throws Exception {
        start(webOn(one));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread asking = new Thread(() -> askUntil(stop, answers, faults));
            asking.start();
            clients.add(asking);
        }

        for (int i = 0; i < 20; i++) {
            int before = answers.get();
            assertThat(reload(i % 2 == 0 ? apiOn(two) : webOn(one)).outcome()).isEqualTo(Outcome.APPLIED);
            await(() -> answers.get() > before + 20 || !faults.isEmpty());
        }
        stop.set(true);
        for (Thread each : clients) {
            each.join();
        }

        assertThat(faults).isEmpty();
        assertThat(get("/")).isEqualTo("one");
    }

    private void askUntil(AtomicBoolean stop, AtomicInteger answers, ConcurrentLinkedQueue<String> faults) {
        try {
            while (!stop.get()) {
                HttpResponse<String> response = ask("/");
                if (response.statusCode() != 200) {
                    faults.add(response.statusCode() + " " + response.body());
                }
                answers.incrementAndGet();
            }
        } catch (IOException | InterruptedException e) {
            faults.add(e.toString());
        }
    }

    @Test
    void whatStaysIsNotForgotten() throws Exception {
        start(webOn(one));
        assertThat(get("/")).isEqualTo("one");

        ReloadReport report = reload(webOn(one, two));

        assertThat(report.changes()).containsExactly("~ pool web: +127.0.0.1:" + two);
        assertThat(stats()).contains("\"total_req_count\":1");
        assertThat(balancer().topology().pool("web").members()).hasSize(2);
        assertThat(texts()).anySatisfy(text -> assertThat(text).startsWith("reload by test: ~ pool web: +127.0.0.1:"));
    }

    @Test
    void newBackendsHaveBeenCheckedWhenTheyJoin() throws Exception {
        start(webOn(one));

        reload(webOn(one, two));

        assertThat(balancer()
                        .topology()
                        .pool("web")
                        .members()
                        .get(1)
                        .backend()
                        .health()
                        .state()
                        .label())
                .isEqualTo("up");
    }

    @Test
    void fileAtFaultChangesNothingAndSaysWhere() throws Exception {
        start(webOn(one));

        ReloadReport report = reload(webOn(one).replace("pool: web", "pool: nowhere"));

        assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(report.errors())
                .singleElement()
                .asString()
                .contains("lb.yaml:2:")
                .contains("nowhere");
        assertThat(get("/")).isEqualTo("one");
        assertThat(texts())
                .anySatisfy(text -> assertThat(text)
                        .startsWith("reload by test refused, nothing is changed: ")
                        .contains("nowhere"));
        assertThat(ask(dashboard(), "GET", "/api/v1/reload").body()).contains("\"refused\"");
    }

    @Test
    void addressThatIsTakenChangesNothing() throws Exception {
        start(webOn(one));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ReloadReport report = reload(webOn(two)
                    .replace(
                            "pools:",
                            "  - {name: other, bind: \"127.0.0.1:" + taken.getLocalPort() + "\", pool: web}\npools:"));

            assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(report.errors()).singleElement().asString().contains("127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(get("/")).isEqualTo("one");
        assertThat(balancer().http().listeners()).hasSize(1);
    }

    @Test
    void equalFileIsNoChange() throws Exception {
        start(webOn(one));

        assertThat(reload(webOn(one) + "# a remark\n").outcome()).isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void logIsPartOfTheConfiguration() throws Exception {
        start(webOn(one));

        ReloadReport report = reload(webOn(one) + "log: {format: json, level: warn}\n");

        assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(report.changes()).containsExactly("~ log");
    }

    @Test
    void whatNeedsARestartIsSaidAndTheRestDone() throws Exception {
        start(webOn(one));

        ReloadReport report = reload(webOn(two) + "event_loops: 3\n");

        assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(report.warnings()).contains("event_loops: a change takes effect after a restart");
        assertThat(get("/")).isEqualTo("two");
    }

    @Test
    void dnsComesChangesAndGoes() throws Exception {
        start(webOn(one));
        assertThat(balancer().dns()).isEmpty();

        reload(webOn(one) + dns(10));
        assertThat(balancer().dns()).isPresent();
        assertThat(stats()).contains("\"dns\"");
        assertThat(reload(webOn(one) + dns(20)).changes()).containsExactly("~ zone example.org: services");
        assertThat(reload(webOn(one)).changes()).containsExactly("- dns");

        assertThat(balancer().dns()).isEmpty();
        assertThat(get("/")).isEqualTo("one");
    }

    private static String dns(int ttl) {
        return """
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: example.org
                      services: [{name: www, pool: web, ttl: %ds}]
                """.formatted(ttl);
    }

    @Test
    void dashboardGoesAndComesBack() throws Exception {
        start(webOn(one));

        reload(webOn(one).replace("dashboard: {", "dashboard: {enabled: false, "));
        assertThat(balancer().dashboardAddress()).isEmpty();
        reload(webOn(one));

        assertThat(stats()).contains("\"web\"");
    }

    @Test
    void commandReloadsAndPrintsTheDifference() throws Exception {
        start(webOn(one));
        Files.writeString(file(), webOn(two));
        String changes = "~ pool web: +127.0.0.1:" + two + ", -127.0.0.1:" + one;

        assertThat(command(0, "--dry-run")).startsWith(changes).endsWith("nothing is changed yet\n");
        assertThat(get("/")).isEqualTo("one");
        assertThat(command(0)).startsWith(changes).contains("applied, published in ");
        assertThat(get("/")).isEqualTo("two");
        assertThat(command(0)).isEqualTo("unchanged\n");
        Files.writeString(file(), webOn(one) + "unknown: key\n");
        assertThat(command(2)).contains("refused, nothing is changed");
    }

    private String command(int code, String... options) {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(new StringWriter()));
        List<String> arguments =
                new ArrayList<>(List.of("reload", "--api", dashboard().toString()));
        arguments.addAll(List.of(options));
        assertThat(line.execute(arguments.toArray(String[]::new))).isEqualTo(code);
        return out.toString().replace(System.lineSeparator(), "\n");
    }

    // ---- what they share

    private static String webOn(int... ports) {
        return pool("web", ports);
    }

    private static String apiOn(int... ports) {
        return pool("api", ports);
    }

    private static String pool(String name, int... ports) {
        List<String> backends = new ArrayList<>();
        for (int port : ports) {
            backends.add("\"127.0.0.1:" + port + "\"");
        }
        return """
                listeners:
                  - {name: front, bind: "127.0.0.1:0", pool: %s}
                pools:
                  %s: {backends: [%s]}
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(name, name, String.join(", ", backends));
    }

    private void start(String text) throws Exception {
        Files.writeString(file(), text);
        LoadedConfig loaded = ConfigLoader.ofProcess().load(file());
        Balancer started = Balancer.start(loaded.config());
        closing.add(started);
        started.awaitFirstChecks(PATIENCE);
        ConfigReloader made = new ConfigReloader(
                file(), loaded, started, started.control(), started.changes(), NeededFiles::problems);
        balancer = started;
        reloader = started.reloadBy(made);
    }

    private Balancer balancer() {
        return requireNonNull(balancer);
    }

    private ReloadReport reload(String text) throws Exception {
        Files.writeString(file(), text);
        CompletableFuture<ReloadReport> report = requireNonNull(reloader).reload(/* dryRun= */ false, "test");
        return report.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private Path file() {
        return directory.resolve("lb.yaml");
    }

    private String get(String path) throws IOException, InterruptedException {
        return ask(path).body();
    }

    private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        return ask(URI.create("http://127.0.0.1:" + balancer().http().port(0)), "GET", path);
    }

    private String stats() throws IOException, InterruptedException {
        return ask(dashboard(), "GET", "/stats").body();
    }

    private URI dashboard() {
        return URI.create("http://127.0.0.1:"
                + balancer().dashboardAddress().orElseThrow().getPort());
    }

    private HttpResponse<String> ask(URI server, String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private List<String> texts() {
        return balancer().control().timeline().recent().stream()
                .map(Event::text)
                .toList();
    }

    private int backend(String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = name.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}

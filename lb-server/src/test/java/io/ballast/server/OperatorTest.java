package io.ballast.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.core.control.Event;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.control.Reloader;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.config.LoadedConfig;
import io.ballast.server.reload.ConfigReloader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole process, whose backends an operator takes out of service and back. */
class OperatorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern CONNECTS = Pattern.compile("\"connects\":(\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<HttpServer> servers = new ArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";
    private @Nullable Running running;

    private record Running(Balancer balancer, ConfigReloader reloads, Reloader reloader) implements AutoCloseable {
        @Override
        public void close() {
            balancer.close();
        }
    }

    @BeforeEach
    void startBackends() throws Exception {
        one = backend("one", "127.0.0.1");
        two = backend("two", "127.0.0.2");
        start(config(one, two));
    }

    @AfterEach
    void close() throws Exception {
        release.countDown();
        stop();
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
    }

    @Test
    void aDrainedBackendGetsNothingNewWhileItsRunningRequestFinishes() throws Exception {
        CompletableFuture<HttpResponse<String>> running = client.sendAsync(
                HttpRequest.newBuilder(front().resolve("/slow")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        boolean first = status(one).contains("\"in_flight\":1");
        String busy = first ? one : two;
        String busyName = first ? "one" : "two";
        String otherName = first ? "two" : "one";

        assertThat(order(busy, "drain?who=ann&why=kernel").body())
                .contains("\"state\":\"draining\"", "\"in_flight\":1");

        assertThat(answers(20)).containsOnly(otherName);
        assertThat(running).isNotDone();
        release.countDown();
        assertThat(running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode())
                .isEqualTo(200);
        assertThat(texts()).contains("draining: by order of ann: kernel");

        assertThat(order(busy, "enable?who=bob").body()).contains("\"state\":\"up\"");
        assertThat(answers(20)).contains(busyName, otherName);
    }

    @Test
    void dnsAgrees() throws Exception {
        assertThat(dnsAnswers()).containsExactlyInAnyOrder("127.0.0.1", "127.0.0.2");

        order(one, "drain");

        await(() -> dnsAnswers().equals(Set.of("127.0.0.2")));
        order(one, "enable");
        await(() -> dnsAnswers().size() == 2);
    }

    @Test
    void theLastOneIsAskedAboutTwice() throws Exception {
        order(one, "drain");

        assertThat(order(two, "drain").statusCode()).isEqualTo(409);
        assertThat(answers(4)).containsOnly("two");
        assertThat(order(two, "drain?confirm=true").statusCode()).isEqualTo(200);
        assertThat(ask(front(), "GET", "/").statusCode()).isEqualTo(503);
    }

    @Test
    void connectionsAreKeptByADrainAndNotUnderMaintenance() throws Exception {
        answers(4);
        int before = connects(one);
        order(one, "drain");
        order(one, "enable");
        answers(4);
        assertThat(connects(one)).isEqualTo(before);

        assertThat(order(one, "down").body()).contains("\"state\":\"maintenance\"");
        assertThat(answers(4)).containsOnly("two");
        order(one, "enable");
        assertThat(answers(4)).contains("one");
        assertThat(connects(one)).isEqualTo(before + 1);
    }

    @Test
    void whatChecksFoundDownIsForcedUp() throws Exception {
        servers.get(1).stop(0);
        await(() -> {
            answers(1);
            return status(two).contains("\"state\":\"down\"");
        });

        assertThat(order(two, "up").body()).contains("\"state\":\"up\"", "\"is\":\"up\"");
        assertThat(order(one, "drain").statusCode()).isEqualTo(200);
        assertThat(ask(front(), "GET", "/").statusCode()).isEqualTo(502);
    }

    @Test
    void aRestartKeepsWhatWasOrdered() throws Exception {
        order(one, "drain?who=ann&why=kernel&until=1h");

        stop();
        start(config(one, two));

        assertThat(answers(8)).containsOnly("two");
        assertThat(status(one)).contains("by order of ann: kernel, until ");
        order(one, "enable");
        stop();
        start(config(one, two));
        assertThat(answers(8)).contains("one");
    }

    @Test
    void aReloadKeepsAnOrderUntilItsBackendIsGone() throws Exception {
        order(one, "drain?who=ann");

        assertThat(reload(config(one, two).replace("round-robin", "random"))).isEqualTo(Outcome.APPLIED);
        assertThat(answers(8)).containsOnly("two");
        assertThat(reload(config(two))).isEqualTo(Outcome.APPLIED);

        assertThat(texts()).contains("order to be draining by ann dropped: no longer in the configuration");
        assertThat(reload(config(one, two))).isEqualTo(Outcome.APPLIED);
        assertThat(answers(20)).contains("one");
    }

    @Test
    void anotherProcessOnTheSameDirectoryIsNotDisturbedAndDisturbsNothing() throws Exception {
        order(one, "drain?who=ann");
        Path orders = directory.resolve("data").resolve(OrderFile.NAME);
        await(() -> Files.exists(orders));
        String before = Files.readString(orders);

        Running first = requireNonNull(running);
        start(config(one, two));
        try {
            assertThat(answers(8)).contains("one");
            assertThat(order(two, "drain").statusCode()).isEqualTo(200);
        } finally {
            stop();
        }

        assertThat(Files.readString(orders)).isEqualTo(before);
        running = first;
        assertThat(answers(8)).containsOnly("two");
    }

    @Test
    void whatCannotBeKeptIsSaidAndHoldsAllTheSame() throws Exception {
        Files.writeString(directory.resolve("data"), "in the way");

        assertThat(order(one, "drain").statusCode()).isEqualTo(200);

        assertThat(answers(8)).containsOnly("two");
        await(() -> texts().stream().anyMatch(text -> text.startsWith("orders are not kept for the next start: ")));
    }

    @Test
    void aFileAtFaultIsNoReasonNotToStart() throws Exception {
        stop();
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve(OrderFile.NAME), """
                {"orders": [{"pool": "web", "backend": "%s", "is": "gone"},
                 {"pool": "web", "backend": "%s", "is": "drain", "who": "ann", "since": "2026-01-01T00:00:00Z"}]}
                """.formatted(two, one));

        start(config(one, two));

        assertThat(answers(8)).containsOnly("two");
        assertThat(texts()).anySatisfy(text -> assertThat(text).contains("is left out: is: gone"));
    }

    @Test
    void commandsListAndOrder() throws Exception {
        answers(1);
        assertThat(command(0, "backends")).startsWith("POOL  ADDRESS").contains("web   " + one + "  up ");

        assertThat(command(0, "backends", "drain", "web", one, "--why", "new disk", "--for", "10m"))
                .startsWith("web/" + one + " draining: by order of ")
                .contains(": new disk, until ");
        assertThat(command(2, "backends", "drain", "web", two)).contains("last usable", "--yes");
        assertThat(command(0, "backends", "down", "web", two, "--yes")).contains(" maintenance: ");
        assertThat(command(0, "backends", "up", "web", two)).contains(" up: by order of ");
        assertThat(command(0, "backends", "enable", "web", one)).contains(" up: enabled by ");
        assertThat(command(2, "backends", "enable", "web", "127.0.0.1:1")).contains("has no backend");
        stop();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(new StringWriter()));
        assertThat(line.execute("backends", "--api", "http://127.0.0.1:1")).isEqualTo(1);
    }

    private String command(int code, String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(text, /* autoFlush= */ true));
        line.setErr(new PrintWriter(text, /* autoFlush= */ true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--api", dashboard().toString()));
        assertThat(line.execute(all.toArray(String[]::new))).as(text.toString()).isEqualTo(code);
        return text.toString();
    }

    // ---- what they share

    private String config(String... backends) {
        return """
                data_dir: %s
                listeners:
                  - {name: front, bind: "127.0.0.1:0", pool: web}
                pools:
                  web: {strategy: round-robin, backends: ["%s"]}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones: [{name: example.org, services: [{name: www, pool: web}]}]
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(directory.resolve("data"), String.join("\", \"", backends));
    }

    private void start(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), text);
        LoadedConfig loaded = ConfigLoader.ofProcess().load(file);
        Balancer balancer = Balancer.start(loaded.config());
        ConfigReloader reloads = new ConfigReloader(
                file, loaded, balancer, balancer.control(), balancer.changes(), NeededFiles::problems);
        running = new Running(balancer, reloads, balancer.reloadBy(reloads));
        balancer.awaitFirstChecks(PATIENCE);
    }

    private void stop() {
        requireNonNull(running).close();
    }

    private Balancer balancer() {
        return requireNonNull(running).balancer();
    }

    private Outcome reload(String text) throws Exception {
        Files.writeString(directory.resolve("lb.yaml"), text);
        return requireNonNull(running)
                .reloader()
                .reload(/* dryRun= */ false, "test")
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .outcome();
    }

    private HttpResponse<String> order(String address, String verb) throws IOException, InterruptedException {
        return ask(dashboard(), "POST", "/api/v1/pools/web/backends/" + address + "/" + verb);
    }

    private String status(String address) throws IOException, InterruptedException {
        return ask(dashboard(), "GET", "/api/v1/pools/web/backends/" + address).body();
    }

    private int connects(String address) throws IOException, InterruptedException {
        Matcher found = CONNECTS.matcher(status(address));
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private Set<String> answers(int requests) throws IOException, InterruptedException {
        Set<String> bodies = new HashSet<>();
        for (int i = 0; i < requests; i++) {
            bodies.add(ask(front(), "GET", "/").body());
        }
        return bodies;
    }

    private HttpResponse<String> ask(URI server, String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private URI front() {
        return URI.create("http://127.0.0.1:" + balancer().http().port(0));
    }

    private URI dashboard() {
        return URI.create("http://127.0.0.1:"
                + balancer().dashboardAddress().orElseThrow().getPort());
    }

    private List<String> texts() {
        return balancer().control().timeline().recent().stream()
                .map(Event::text)
                .toList();
    }

    /** The addresses in the answer to a question for www.example.org A. */
    private Set<String> dnsAnswers() throws IOException {
        byte[] question = HexFormat.of()
                .parseHex(
                        "000000000001000000000000" + "03777777" + "076578616d706c65" + "036f7267" + "00" + "00010001");
        byte[] answer = new byte[512];
        DatagramPacket packet = new DatagramPacket(answer, answer.length);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
            InetSocketAddress server =
                    balancer().dns().orElseThrow().addresses().get(0);
            socket.send(new DatagramPacket(question, question.length, server));
            socket.receive(packet);
        }
        int count = answer[7];
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < count; i++) { // each a pointer to the name, ten octets, and the address
            int at = question.length + i * 16 + 12;
            addresses.add(InetAddress.getByAddress(Arrays.copyOfRange(answer, at, at + 4))
                    .getHostAddress());
        }
        return addresses;
    }

    private String backend(String name, String host) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/slow")) {
                begun.countDown();
                awaitRelease();
            }
            byte[] body = name.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return host + ":" + server.getAddress().getPort();
    }

    private void awaitRelease() {
        try {
            assertThat(release.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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

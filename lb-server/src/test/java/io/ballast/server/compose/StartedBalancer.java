package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.control.Event;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import io.ballast.discovery.names.NameLookup;
import io.ballast.discovery.names.SystemLookup;
import io.ballast.server.Main;
import io.ballast.server.reload.ConfigReloader;
import io.ballast.server.reload.SharedReload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A balancer in this process, started from a file that a test writes, and may replace and reload. */
public final class StartedBalancer implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final String FILE = "lb.yaml";

    /** A DNS query for www.example.org A. */
    private static final byte[] QUESTION = HexFormat.of()
            .parseHex("000000000001000000000000" + "03777777" + "076578616d706c65" + "036f7267" + "00" + "00010001");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path file;
    private final Balancer balancer;
    private final Reloader reloader;

    private StartedBalancer(Path file, Balancer balancer, Reloader reloader) {
        this.file = file;
        this.balancer = balancer;
        this.reloader = reloader;
    }

    /**
     * Starts a balancer, and waits until each backend was checked once.
     *
     * @param text the content of its file, which is {@code lb.yaml} in the directory
     */
    public static StartedBalancer start(Path directory, String text) throws Exception {
        return start(directory, text, name -> SystemLookup.ofProcess().find(name));
    }

    /** Like {@link #start(Path, String)}, and resolves the names of backends with {@code lookup}. */
    public static StartedBalancer start(Path directory, String text, NameLookup lookup) throws Exception {
        return start(directory, text, lookup, /* shares= */ true);
    }

    /** Like {@link #start(Path, String)}, but the balancer neither checks nor uses versions of its cluster. */
    static StartedBalancer startWithoutSharing(Path directory, String text) throws Exception {
        return start(directory, text, name -> SystemLookup.ofProcess().find(name), /* shares= */ false);
    }

    private static StartedBalancer start(Path directory, String text, NameLookup lookup, boolean shares)
            throws Exception {
        Path file = Files.writeString(directory.resolve(FILE), text);
        LoadedConfig loaded = ConfigLoader.ofProcess().loadAtStart(file, damaged -> {});
        Balancer balancer = Balancer.start(loaded.config(), lookup, failure -> {});
        ConfigReloader reloads = new ConfigReloader(
                file, loaded, balancer, balancer.control(), balancer.changes(), ReferencedFiles::problems);
        assertThat(balancer.awaitFirstChecks(TIMEOUT)).isTrue();
        Reloader recorded = balancer.setReloader(reloads);
        if (shares) {
            balancer.shareConfiguration(new SharedReload(
                    file, balancer::config, reloads::versionInUse, recorded, ReferencedFiles::problems));
        }
        return new StartedBalancer(file, balancer, recorded);
    }

    public Balancer balancer() {
        return balancer;
    }

    public Path file() {
        return file;
    }

    /** Replaces the file and reloads it. */
    public ReloadReport reload(String text) throws Exception {
        Files.writeString(file, text);
        return reloader.reload(/* dryRun= */ false, "test").get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    // ---- traffic

    /** The address of the first listener. */
    public URI front() {
        return URI.create("http://127.0.0.1:" + balancer.http().port(0));
    }

    public URI dashboard() {
        return URI.create(
                "http://127.0.0.1:" + balancer.dashboardAddress().orElseThrow().getPort());
    }

    /** Sends a GET request to the first listener. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return request(front(), "GET", path);
    }

    /** Like {@link #get(String)}, with a header. */
    public HttpResponse<String> get(String path, String header, String value) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(front().resolve(path))
                .header(header, value)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Like {@link #get(String)}, without waiting for the response. */
    public CompletableFuture<HttpResponse<String>> getLater(String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(front().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> request(URI server, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the different bodies of the responses to {@code requests} requests. */
    public Set<String> answers(int requests) throws IOException, InterruptedException {
        Set<String> bodies = new HashSet<>();
        for (int i = 0; i < requests; i++) {
            bodies.add(get("/").body());
        }
        return bodies;
    }

    /** The addresses in the answer to a question for www.example.org A. */
    public Set<String> dnsAnswers() throws IOException {
        byte[] answer = new byte[512];
        DatagramPacket packet = new DatagramPacket(answer, answer.length);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
            socket.send(new DatagramPacket(
                    QUESTION,
                    QUESTION.length,
                    balancer.dns().orElseThrow().addresses().get(0)));
            socket.receive(packet);
        }
        int count = answer[7];
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < count; i++) { // each record: a name pointer, ten bytes, the address
            int at = QUESTION.length + i * 16 + 12;
            addresses.add(InetAddress.getByAddress(Arrays.copyOfRange(answer, at, at + 4))
                    .getHostAddress());
        }
        return addresses;
    }

    // ---- reported state

    /** Returns the API document of all pools. */
    public String stats() throws IOException, InterruptedException {
        return request(dashboard(), "GET", "/stats").body();
    }

    /** The texts of all events in the timeline. */
    public List<String> texts() {
        return events().map(Event::text).toList();
    }

    /** The subject and the text of each event in the timeline. */
    public List<String> subjectsAndTexts() {
        return events().map(event -> event.subject() + " " + event.text()).toList();
    }

    /** Waits for an event in the timeline. Other threads may see the change earlier. */
    public void awaitEvent(String part) throws Exception {
        await(() -> subjectsAndTexts().stream().anyMatch(event -> event.contains(part)));
    }

    private Stream<Event> events() {
        return balancer.control().timeline().recent().stream();
    }

    /** Returns the output of a command on both streams; the command must end with the given code. */
    public String command(int code, String... arguments) {
        StringWriter text = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(text, /* autoFlush= */ true));
        line.setErr(new PrintWriter(text, /* autoFlush= */ true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--api", dashboard().toString()));
        assertThat(line.execute(all.toArray(String[]::new))).as(text.toString()).isEqualTo(code);
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            LockSupport.parkNanos(PAUSE_NANOS); // leaves the processor to the balancer and to other tests
        }
    }

    @Override
    public void close() {
        balancer.close();
    }
}

package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.registry.Hashes;
import io.ballast.net.testing.FreePort;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.process.AgentProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests agents with real nodes: {@code lb agent}, and the shell script of the guide. */
class AgentProcessTest {

    private static final String TOKEN = "6mJ0token";
    private static final Path SCRIPT = Path.of("../examples/agent/agent.sh").toAbsolutePath();

    private final NamedServers servers = new NamedServers();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final StringWriter errors = new StringWriter();

    @TempDir
    private Path directory;

    private int port;
    private int otherPort;
    private String address = "";
    private StartedBalancer node;

    @BeforeEach
    void start() throws Exception {
        address = "127.0.0.1:" + servers.add("one");
        TestCertificate.create().write(directory);
        port = FreePort.find();
        otherPort = FreePort.find();
        node = node("n1", port);
    }

    @AfterEach
    void close() {
        node.close();
        servers.close();
    }

    private StartedBalancer node(String name, int agents) throws Exception {
        Path own = Files.createDirectories(directory.resolve(name));
        return StartedBalancer.start(own, """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/data
            agents:
              bind: 127.0.0.1:%2$d
              tls: {certificate: %3$s/server.crt, key: %3$s/server.key}
            pools:
              web:
                agents: {tokens: [{name: rack1, hash: "sha256:%4$s"}]}
                health: {type: none}
            """.formatted(own, agents, directory, Hashes.sha256(TOKEN)));
    }

    private CompletableFuture<Integer> startAgent(String more) throws IOException {
        Path file = Files.writeString(
                directory.resolve("agent.yaml"), """
            agent:
              nodes: ["https://127.0.0.1:%1$d", "https://127.0.0.1:%2$d"]
              ca: server.crt
              token: %3$s
              data_dir: agent
              id: a1
              drain_time: 100ms
              %4$s
            register:
              - {pool: web, address: "%5$s", health: {type: tcp, interval: 100ms, rise: 1, fall: 1}}
            """.formatted(port, otherPort, TOKEN, more, address));
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return AgentProcess.run(file, new PrintWriter(errors, /* autoFlush= */ true), stop);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                AgentProcessTest::startThread);
    }

    /**
     * Runs a task on a new thread. On two cores, the common pool of Java 25 has only one thread, which other tests
     * need.
     */
    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "agent of the test");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void agentRegistersChecksAndDeregisters() throws Exception {
        CompletableFuture<Integer> ended = startAgent("");
        awaitAnswers(node, "one");

        node.command(0, "backends", "drain", "web", address, "--yes");
        await(() -> node.command(0, "agents", "show", "a1").contains("drain"));
        node.command(0, "backends", "enable", "web", address);
        await(() -> node.command(0, "agents", "show", "a1").contains("up"));
        awaitAnswers(node, "one");

        servers.close();
        await(() -> node.command(0, "agents", "show", "a1").contains("connection refused"));

        stop.countDown();
        assertThat(ended.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(node.command(0, "agents", "show", "a1")).contains("no backends");
        node.awaitEvent("deregistered");
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void otherNodeKnowsTheBackendToo() throws Exception {
        try (StartedBalancer other = node("n2", otherPort)) {
            CompletableFuture<Integer> ended = startAgent("");
            awaitAnswers(node, "one");
            awaitAnswers(other, "one");

            node.close();
            assertThat(other.answers(3)).containsOnly("one");
            node = node("n1", port);
            awaitAnswers(node, "one");

            stop.countDown();
            assertThat(ended.get(60, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void agentFailsOverIfItReportsToOneNode() throws Exception {
        try (StartedBalancer other = node("n2", otherPort)) {
            CompletableFuture<Integer> ended = startAgent("report_to: one");
            awaitAnswers(node, "one");
            assertThat(other.command(0, "agents")).contains("no agents");

            node.close();
            awaitAnswers(other, "one");
            stop.countDown();
            assertThat(ended.get(60, TimeUnit.SECONDS)).isZero();
            node = node("n1", port);
        }
    }

    @Test
    void shellScriptIsAnAgent() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString(), "web", address, "http://" + address + "/")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("agent.log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "NODE",
                        "https://127.0.0.1:" + port,
                        "CA",
                        "server.crt",
                        "TOKEN",
                        TOKEN,
                        "AGENT",
                        "script",
                        "INTERVAL",
                        "0.2",
                        "DRAIN",
                        "0.2"));
        Process agent = builder.start();
        try {
            awaitAnswers(node, "one");
            servers.close();
            await(() -> node.command(0, "agents", "show", "script").contains("down"));
            agent.destroy(); // SIGTERM
            assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(node.command(0, "agents", "show", "script")).contains("no backends");
        } finally {
            agent.destroyForcibly();
        }
        assertThat(Files.readString(directory.resolve("agent.log"))).isEmpty();
        assertThat(Files.readAllLines(SCRIPT).stream().filter(line -> !line.isBlank() && !line.startsWith("#")))
                .hasSizeLessThanOrEqualTo(30);
    }

    @Test
    void invalidFileIsRefusedWithPlaces() throws Exception {
        Path file = Files.writeString(directory.resolve("bad.yaml"), """
            agent:
              nodes: ["http://10.0.0.1:8444"]
              tokn: x
            register:
              - {pool: web, address: app.local, drain: {cpu: {high: 50%, low: 90%}}}
            """);

        assertThat(AgentProcess.run(file, new PrintWriter(errors, /* autoFlush= */ true), stop))
                .isEqualTo(2);

        List<String> lines = errors.toString().lines().toList();
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("bad.yaml:2:", "https URL"));
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("bad.yaml:3:", "token"));
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("bad.yaml:5:", "10.0.1.5:8080"));
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("bad.yaml:5:", "low"));
    }

    private static void awaitAnswers(StartedBalancer node, String name) throws Exception {
        await(() -> node.get("/").statusCode() == 200 && node.answers(3).equals(Set.of(name)));
    }
}

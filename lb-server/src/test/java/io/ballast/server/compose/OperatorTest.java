package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.TIMEOUT;
import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.server.Main;
import io.ballast.server.override.OverrideFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests a whole process while an operator takes its backends out of service and puts them back. */
class OperatorTest {

    private static final Pattern CONNECTS = Pattern.compile("\"connects\":(\\d+)");

    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startBackends() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        two = "127.0.0.2:" + servers.add("two", "127.0.0.2", 0);
        start(config(one, two));
    }

    @AfterEach
    void close() {
        servers.close();
        running().close();
    }

    @Test
    void drainCompletesRunningRequestWithoutNewOnes() throws Exception {
        CompletableFuture<HttpResponse<String>> slow = running().getLater("/slow");
        assertThat(servers.awaitSlow()).isTrue();
        boolean first = status(one).contains("\"in_flight\":1");
        String busy = first ? one : two;
        String busyName = first ? "one" : "two";
        String otherName = first ? "two" : "one";

        assertThat(order(busy, "drain?who=ann&why=kernel").body())
                .contains("\"state\":\"draining\"", "\"in_flight\":1");

        assertThat(running().answers(20)).containsOnly(otherName);
        assertThat(slow).isNotDone();
        servers.answerSlow();
        assertThat(slow.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        running().awaitEvent("draining: override by ann: kernel");

        assertThat(order(busy, "enable?who=bob").body()).contains("\"state\":\"up\"");
        assertThat(running().answers(20)).contains(busyName, otherName);
    }

    @Test
    void dnsFollowsOverride() throws Exception {
        assertThat(running().dnsAnswers()).containsExactlyInAnyOrder("127.0.0.1", "127.0.0.2");

        order(one, "drain");

        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.2")));
        order(one, "enable");
        await(() -> running().dnsAnswers().size() == 2);
    }

    @Test
    void drainOfLastBackendNeedsConfirmation() throws Exception {
        order(one, "drain");

        assertThat(order(two, "drain").statusCode()).isEqualTo(409);
        assertThat(running().answers(4)).containsOnly("two");
        assertThat(order(two, "drain?confirm=true").statusCode()).isEqualTo(200);
        assertThat(running().get("/").statusCode()).isEqualTo(503);
    }

    @Test
    void drainKeepsConnectionsAndMaintenanceClosesThem() throws Exception {
        running().answers(4);
        int before = connects(one);
        order(one, "drain");
        order(one, "enable");
        running().answers(4);
        assertThat(connects(one)).isEqualTo(before);

        assertThat(order(one, "down").body()).contains("\"state\":\"maintenance\"");
        assertThat(running().answers(4)).containsOnly("two");
        order(one, "enable");
        assertThat(running().answers(4)).contains("one");
        assertThat(connects(one)).isEqualTo(before + 1);
    }

    @Test
    void downBackendIsForcedUp() throws Exception {
        servers.stop(1);
        await(() -> {
            running().answers(1);
            return status(two).contains("\"state\":\"down\"");
        });

        assertThat(order(two, "up").body()).contains("\"state\":\"up\"", "\"is\":\"up\"");
        assertThat(order(one, "drain").statusCode()).isEqualTo(200);
        assertThat(running().get("/").statusCode()).isEqualTo(502);
    }

    @Test
    void restartKeepsOverrides() throws Exception {
        order(one, "drain?who=ann&why=kernel&until=1h");

        running().close();
        start(config(one, two));

        assertThat(running().answers(8)).containsOnly("two");
        assertThat(status(one)).contains("override by ann: kernel, until ");
        order(one, "enable");
        running().close();
        start(config(one, two));
        assertThat(running().answers(8)).contains("one");
    }

    @Test
    void reloadKeepsOverrideUntilBackendIsRemoved() throws Exception {
        order(one, "drain?who=ann");

        assertThat(running()
                        .reload(config(one, two).replace("round-robin", "random"))
                        .outcome())
                .isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(8)).containsOnly("two");
        assertThat(running().reload(config(two)).outcome()).isEqualTo(Outcome.APPLIED);

        running().awaitEvent("override of the state to draining by ann dropped: no longer in the configuration");
        assertThat(running().reload(config(one, two)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(20)).contains("one");
    }

    @Test
    void weightOverrideSurvivesReloadAndRestart() throws Exception {
        String weighted = config(one, two).replace("round-robin", "weighted-round-robin");
        running().reload(weighted);
        assertThat(order(one, "weight?weight=3&who=ann&why=disk").body())
                .contains("\"weight\":3", "\"file_weight\":1", "\"who\":\"ann\"");
        assertThat(shareOfOne(8)).isEqualTo(6);

        assertThat(running().reload(weighted + "grace: 2s\n").outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(shareOfOne(8)).isEqualTo(6);
        running().close();
        start(weighted);
        assertThat(shareOfOne(8)).isEqualTo(6);

        assertThat(order(one, "weight?weight=0").statusCode()).isEqualTo(200);
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.2")));
        assertThat(order(one, "weight?weight=file&who=bob").body()).contains("\"weight_order\":null");
        assertThat(shareOfOne(8)).isEqualTo(4);
        await(() -> running().dnsAnswers().size() == 2);
    }

    /** Returns how many of {@code requests} requests the first backend answers. */
    private int shareOfOne(int requests) throws IOException, InterruptedException {
        int answered = 0;
        for (int i = 0; i < requests; i++) {
            answered += running().get("/").body().equals("one") ? 1 : 0;
        }
        return answered;
    }

    @Test
    void processesOnSameDirectoryDoNotInterfere() throws Exception {
        order(one, "drain?who=ann");
        Path orders = directory.resolve("data").resolve(OverrideFile.NAME);
        await(() -> Files.exists(orders));
        String before = Files.readString(orders);

        StartedBalancer first = running();
        start(config(one, two));
        try {
            assertThat(running().answers(8)).contains("one");
            assertThat(order(two, "drain").statusCode()).isEqualTo(200);
        } finally {
            running().close();
        }

        assertThat(Files.readString(orders)).isEqualTo(before);
        running = first;
        assertThat(running().answers(8)).containsOnly("two");
    }

    @Test
    void unwritableOverrideIsReportedAndEffective() throws Exception {
        Files.writeString(directory.resolve("data"), "in the way");

        assertThat(order(one, "drain").statusCode()).isEqualTo(200);

        assertThat(running().answers(8)).containsOnly("two");
        await(() -> running().texts().stream()
                .anyMatch(text -> text.startsWith("cannot write ") && text.contains("lost at a restart")));
    }

    @Test
    void invalidStateFileDoesNotPreventStart() throws Exception {
        running().close();
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve(OverrideFile.NAME), """
            {"orders": [{"pool": "web", "backend": "%s", "is": "gone"},
             {"pool": "web", "backend": "%s", "is": "drain", "who": "ann", "since": "2026-01-01T00:00:00Z"}]}
            """.formatted(two, one));

        start(config(one, two));

        assertThat(running().answers(8)).containsOnly("two");
        running().awaitEvent("is ignored: is: gone");
    }

    @Test
    void commandsListAndOverride() throws Exception {
        running().answers(1);
        assertThat(running().command(0, "backends"))
                .startsWith("POOL  ADDRESS")
                .containsPattern("web +" + one + " +up ");
        assertThat(running().command(0, "backends", "weight", "web", one, "5"))
                .contains(" up: ", "; weight 5 (file: 1)");
        assertThat(running().command(0, "backends")).contains("5 (file: 1)");
        assertThat(running().command(2, "backends", "weight", "web", one, "1001"))
                .contains("weight: 1001 (expected: 0..1000)");
        assertThat(running().command(0, "backends", "weight", "web", one, "file"))
                .contains(" up: ")
                .doesNotContain("weight");

        assertThat(running()
                        .command(
                                0,
                                "backends",
                                "drain",
                                "web",
                                one,
                                "--why",
                                "new disk",
                                "--for",
                                "10m",
                                "--deadline",
                                "5m"))
                .startsWith("web/" + one + " draining: override by ")
                .contains(": new disk, until ");
        assertThat(running().command(2, "backends", "drain", "web", two)).contains("last usable", "--yes");
        assertThat(running().command(0, "backends", "down", "web", two, "--yes"))
                .contains(" maintenance: ");
        assertThat(running().command(0, "backends", "up", "web", two)).contains(" up: override by ");
        assertThat(running().command(0, "backends", "enable", "web", one)).contains(" up: enabled by ");
        assertThat(running().command(2, "backends", "enable", "web", "127.0.0.1:1"))
                .contains("has no backend");
        running().close();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(new StringWriter()));
        assertThat(line.execute("backends", "--api", "http://127.0.0.1:1")).isEqualTo(1);
    }

    /** A previous version ignored the option, and drained a backend of the balancer of ./config.yaml instead. */
    @Test
    void rejectsArgumentsBeforeCommand() {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err));

        assertThat(line.execute("backends", "--api", "http://127.0.0.1:1", "drain", "web", one))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("lb: --api and CONFIG must follow 'drain', not precede it" + System.lineSeparator());
    }

    // ---- shared helpers

    private String config(String... backends) {
        return """
            data_dir: %s
            listeners:
              - {name: front, bind: "127.0.0.1:0", pool: web}
            pools:
              web: {strategy: round-robin, backends: ["%s"], health: {timeout: 1m}}
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              zones: [{name: example.org, services: [{name: www, pool: web}]}]
            dashboard: {bind: "127.0.0.1:0"}
            """.formatted(directory.resolve("data"), String.join("\", \"", backends));
    }

    private void start(String text) throws Exception {
        running = StartedBalancer.start(directory, text);
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }

    private HttpResponse<String> order(String address, String verb) throws IOException, InterruptedException {
        return running().request(running().dashboard(), "POST", "/api/v1/pools/web/backends/" + address + "/" + verb);
    }

    private String status(String address) throws IOException, InterruptedException {
        return running()
                .request(running().dashboard(), "GET", "/api/v1/pools/web/backends/" + address)
                .body();
    }

    private int connects(String address) throws IOException, InterruptedException {
        Matcher found = CONNECTS.matcher(status(address));
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }
}

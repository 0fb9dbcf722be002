package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reloads of the configuration file in a whole process. */
class ReloadTest {

    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private int one;
    private int two;
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startBackends() throws IOException {
        one = servers.add("one");
        two = servers.add("two");
    }

    @AfterEach
    void close() {
        servers.close();
        running().close();
    }

    @Test
    void reloadMovesRequestsWithoutFailure() throws Exception {
        start(webOn(one));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread pending = new Thread(() -> queryUntil(stop, answers, faults));
            pending.start();
            clients.add(pending);
        }

        for (int i = 0; i < 20; i++) {
            int before = answers.get();
            assertThat(running().reload(i % 2 == 0 ? apiOn(two) : webOn(one)).outcome())
                    .isEqualTo(Outcome.APPLIED);
            await(() -> answers.get() > before + 20 || !faults.isEmpty());
        }
        stop.set(true);
        for (Thread each : clients) {
            each.join();
        }

        assertThat(faults).isEmpty();
        assertThat(get("/")).isEqualTo("one");
    }

    private void queryUntil(AtomicBoolean stop, AtomicInteger answers, ConcurrentLinkedQueue<String> faults) {
        try {
            while (!stop.get()) {
                HttpResponse<String> response = running().get("/");
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
    void unchangedPartsKeepState() throws Exception {
        start(webOn(one));
        assertThat(get("/")).isEqualTo("one");

        ReloadReport report = running().reload(webOn(one, two));

        assertThat(report.changes()).containsExactly("~ pool web: +127.0.0.1:" + two);
        assertThat(running().stats()).contains("\"total_req_count\":1");
        assertThat(balancer().topology().pool("web").members()).hasSize(2);
        running().awaitEvent("reload by test: ~ pool web: +127.0.0.1:");
    }

    @Test
    void newBackendsAreCheckedBeforeJoining() throws Exception {
        start(webOn(one));

        assertThat(joinsChecked(5)).isTrue();
    }

    /**
     * Whether the second backend is up when it joins. This may take several reloads, because a reload waits for
     * the first check for two seconds only.
     */
    private boolean joinsChecked(int reloads) throws Exception {
        for (int i = 0; i < reloads; i++) {
            running().reload(webOn(one, two));
            if (second().health().state() == BackendState.UP) {
                return true;
            }
            running().reload(webOn(one));
        }
        return false;
    }

    private Backend second() {
        return balancer().topology().pool("web").members().get(1).backend();
    }

    @Test
    void invalidFileChangesNothingAndNamesPlace() throws Exception {
        start(webOn(one));

        ReloadReport report = running().reload(webOn(one).replace("pool: web", "pool: nowhere"));

        assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(report.errors())
                .singleElement()
                .asString()
                .contains("lb.yaml:2:")
                .contains("nowhere");
        assertThat(get("/")).isEqualTo("one");
        await(() -> running().texts().stream()
                .anyMatch(text -> text.startsWith("reload by test refused; no changes were applied: ")
                        && text.contains("nowhere")));
        assertThat(running()
                        .request(running().dashboard(), "GET", "/api/v1/reload")
                        .body())
                .contains("\"refused\"");
    }

    @Test
    void addressInUseChangesNothing() throws Exception {
        start(webOn(one));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ReloadReport report = running()
                    .reload(webOn(two)
                            .replace(
                                    "pools:",
                                    "  - {name: other, bind: \"127.0.0.1:" + taken.getLocalPort()
                                            + "\", pool: web}\npools:"));

            assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(report.errors()).singleElement().asString().contains("127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(get("/")).isEqualTo("one");
        assertThat(balancer().http().listeners()).hasSize(1);
    }

    @Test
    void unchangedFileIsNoChange() throws Exception {
        start(webOn(one));

        assertThat(running().reload(webOn(one) + "# a remark\n").outcome()).isEqualTo(Outcome.UNCHANGED);
    }

    @Test
    void logSettingsAreReloaded() throws Exception {
        start(webOn(one));

        ReloadReport report = running().reload(webOn(one) + "log: {format: json, level: warn}\n");

        assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(report.changes()).containsExactly("~ log");
    }

    @Test
    void reportsSettingsThatNeedRestart() throws Exception {
        start(webOn(one));

        ReloadReport report = running().reload(webOn(two) + "event_loops: 3\n");

        assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(report.warnings()).contains("event_loops: the change takes effect only after a restart");
        assertThat(get("/")).isEqualTo("two");
    }

    @Test
    void dnsIsAddedChangedAndRemoved() throws Exception {
        start(webOn(one));
        assertThat(balancer().dns()).isEmpty();

        running().reload(webOn(one) + dns(10));
        assertThat(balancer().dns()).isPresent();
        assertThat(running().stats()).contains("\"dns\"");
        assertThat(running().reload(webOn(one) + dns(20)).changes()).containsExactly("~ zone example.org: services");
        assertThat(running().reload(webOn(one)).changes()).containsExactly("- dns");

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
    void dashboardIsRemovedAndAdded() throws Exception {
        start(webOn(one));

        running().reload(webOn(one).replace("dashboard: {", "dashboard: {enabled: false, "));
        assertThat(balancer().dashboardAddress()).isEmpty();
        running().reload(webOn(one));

        assertThat(running().stats()).contains("\"web\"");
    }

    @Test
    void commandPrintsDifference() throws Exception {
        start(webOn(one));
        Files.writeString(running().file(), webOn(two));
        String changes = "~ pool web: +127.0.0.1:" + two + ", -127.0.0.1:" + one;

        assertThat(running().command(0, "reload", "--dry-run"))
                .startsWith(changes)
                .endsWith("dry run: no changes were applied\n");
        assertThat(get("/")).isEqualTo("one");
        assertThat(running().command(0, "reload")).startsWith(changes).contains("applied, published in ");
        assertThat(get("/")).isEqualTo("two");
        assertThat(running().command(0, "reload")).isEqualTo("unchanged\n");
        Files.writeString(running().file(), webOn(one) + "unknown: key\n");
        assertThat(running().command(2, "reload")).contains("refused; no changes were applied");
    }

    // ---- shared helpers

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
                  %s: {backends: [%s], health: {timeout: 1m}}
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(name, name, String.join(", ", backends));
    }

    private void start(String text) throws Exception {
        running = StartedBalancer.start(directory, text);
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }

    private Balancer balancer() {
        return running().balancer();
    }

    private String get(String path) throws IOException, InterruptedException {
        return running().get(path).body();
    }
}

package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.pool.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process whose backends are listed in a file next to its configuration file. */
class DiscoveredBackendsTest {

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
    void discoveredBackendsServe() throws Exception {
        start("");
        assertThat(running().get("/").statusCode()).isEqualTo(503);
        assertThat(running().request(running().dashboard(), "GET", "/readyz").body())
                .contains("has no usable backend");

        list(one);
        await(() -> running().get("/").statusCode() == 200);
        assertThat(running().answers(5)).containsExactly("one");
        Backend first = backends().get(0);
        assertThat(running().request(running().dashboard(), "GET", "/readyz").statusCode())
                .isEqualTo(200);

        list(one, two);
        await(() -> backends().size() == 2);
        await(() -> running().answers(20).equals(Set.of("one", "two")));
        assertThat(backends())
                .filteredOn(each -> each.address().equals(first.address()))
                .singleElement()
                .isSameAs(first);

        list(two);
        await(() -> backends().size() == 1);
        await(() -> running().answers(5).equals(Set.of("two")));
        running().awaitEvent("web 1 backend joined (" + source() + ")");
        running().awaitEvent("web 1 backend left (" + source() + ")");
    }

    @Test
    void reloadKeepsBackendsUnlessSourceIsRemoved() throws Exception {
        list(two);
        start("backends: [127.0.0.1:" + one + "], ");
        await(() -> backends().size() == 2);
        List<Backend> before = backends();

        assertThat(running()
                        .reload(text("strategy: random, backends: [127.0.0.1:" + one + "], "))
                        .changes())
                .containsExactly("~ pool web: strategy");
        assertThat(backends()).isEqualTo(before);

        assertThat(running()
                        .reload(text("backends: [127.0.0.1:" + one + "], ").replace("discover", "# discover"))
                        .outcome())
                .isEqualTo(Outcome.APPLIED);
        assertThat(backends()).containsExactly(before.get(0));
    }

    @Test
    void lastResultServesAfterRestart() throws Exception {
        list(one);
        start("");
        await(() -> running().get("/").statusCode() == 200);
        await(() -> Files.exists(directory.resolve("data/discovered.json")));
        running().close();
        Files.delete(directory.resolve("backends.yaml"));

        start("");

        assertThat(running().answers(5)).containsExactly("one");
        await(() -> running().texts().stream().anyMatch(text -> text.contains("no such file or directory")));
        assertThat(running().request(running().dashboard(), "GET", "/metrics").body())
                .contains("ballast_discovery_backends{pool=\"web\",source=\"" + source() + "\"} 1")
                .contains("ballast_discovery_last_success_seconds{pool=\"web\",source=\"" + source() + "\"} 0")
                .containsPattern("ballast_discovery_failures_total\\{[^}]*} [1-9]");
    }

    @Test
    void changedHoldTimeKeepsBackends() throws Exception {
        list(one);
        start("");
        await(() -> running().get("/").statusCode() == 200);
        Backend first = backends().get(0);
        Files.delete(directory.resolve("backends.yaml"));
        await(() -> running().texts().stream().anyMatch(text -> text.contains("no such file or directory")));

        assertThat(running().reload(text("").replace("hold: 0s", "hold: 5s")).outcome())
                .isEqualTo(Outcome.APPLIED);

        await(() -> running().texts().stream()
                        .filter(text ->
                                text.contains("no such file or directory; the last discovered backends stay in use"))
                        .count()
                == 2);
        assertThat(backends()).singleElement().isSameAs(first);
        assertThat(running().answers(5)).containsExactly("one");
    }

    @Test
    void invalidFileKeepsBackends() throws Exception {
        list(one);
        start("");
        await(() -> running().get("/").statusCode() == 200);

        write("[127.0.0.1]");
        await(() -> running().texts().stream().anyMatch(text -> text.contains("backends.yaml:1:2: [0]")));

        assertThat(running().answers(3)).containsExactly("one");
    }

    private void start(String more) throws Exception {
        running = StartedBalancer.start(directory, text(more));
    }

    private String text(String more) {
        return """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools:
                  web:
                    health: {timeout: 1m}
                    %s
                    discover: [{type: file, path: backends.yaml, hold: 0s, allow_local: true}]
                dashboard: {bind: "127.0.0.1:0"}
                data_dir: %s
                grace: 0s
                """.formatted(more.replace(", ", "\n    ").strip(), directory.resolve("data"));
    }

    private String source() {
        return "file " + directory.resolve("backends.yaml");
    }

    private void list(int... ports) throws IOException {
        StringBuilder text = new StringBuilder("backends:");
        for (int port : ports) {
            text.append("\n  - 127.0.0.1:").append(port);
        }
        write(text.toString());
    }

    private void write(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, directory.resolve("backends.yaml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private List<Backend> backends() {
        Pool pool = requireNonNull(running().balancer().topology().pools().get("web"));
        return pool.members().stream().map(member -> member.backend()).toList();
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }
}

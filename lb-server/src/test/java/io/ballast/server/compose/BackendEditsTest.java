package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.pool.Pool;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process while an operator adds backends to its pools and removes them. */
class BackendEditsTest {

    private static final String POOL = "/api/v1/pools/web";

    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startBackends() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        two = "127.0.0.1:" + servers.add("two");
        start(one);
    }

    @AfterEach
    void close() {
        servers.close();
        running().close();
    }

    @Test
    void addedBackendSurvivesReloadAndRestart() throws Exception {
        Backend first = backends().get(0);

        assertThat(request("POST", POOL + "/backends?who=ann&why=sale&weight=3&address=" + two)
                        .body())
                .contains("\"addr\":\"" + two + "\"", "\"file_weight\":3");

        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");
        assertThat(backends()).hasSize(2).first().isSameAs(first);
        running().awaitEvent("web/" + two + " added by ann: sale");
        assertThat(request("POST", POOL + "/backends?address=" + two).statusCode())
                .isEqualTo(409);

        assertThat(running().reload(text(one) + "grace: 1s\n").outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");

        running().close();
        start(one);
        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");
        assertThat(request("GET", POOL + "/changes").body())
                .contains("\"addr\":\"" + two + "\",\"is\":\"added\",\"weight\":3,\"backup\":false,\"who\":\"ann\"");

        assertThat(request("DELETE", POOL + "/backends/" + two).statusCode()).isEqualTo(200);
        assertThat(running().answers(5)).containsExactly("one");
        assertThat(request("GET", POOL + "/changes").body()).isEqualTo("{\"changes\":[]}");
    }

    @Test
    void removedBackendReturnsWhenFileChangesIt() throws Exception {
        running().reload(text(one, two));
        assertThat(request("DELETE", POOL + "/backends/" + two + "?who=ann").statusCode())
                .isEqualTo(200);
        assertThat(running().answers(5)).containsExactly("one");
        assertThat(request("DELETE", POOL + "/backends/" + two).statusCode()).isEqualTo(404);

        assertThat(running().reload(text(one, two) + "grace: 1s\n").outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(5)).containsExactly("one");

        running().reload(text(one, "{address: \"" + two + "\", weight: 2}"));
        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void editIsReverted() throws Exception {
        running().reload(text(one, two));
        request("DELETE", POOL + "/backends/" + two);
        request("PUT", POOL + "/backends/" + one + "?weight=7&backup=true");
        assertThat(request("GET", POOL + "/backends/" + one).body()).contains("\"file_weight\":7");

        assertThat(request("DELETE", POOL + "/changes").statusCode()).isEqualTo(200);

        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");
        assertThat(request("GET", POOL + "/backends/" + one).body()).contains("\"file_weight\":1");
    }

    @Test
    void removalOfLastBackendNeedsConfirmation() throws Exception {
        assertThat(request("DELETE", POOL + "/backends/" + one).statusCode()).isEqualTo(409);
        assertThat(request("PUT", POOL + "/backends/" + one + "?weight=0").statusCode())
                .isEqualTo(409);
        assertThat(running().answers(3)).containsExactly("one");

        assertThat(request("DELETE", POOL + "/backends/" + one + "?confirm=true")
                        .statusCode())
                .isEqualTo(200);

        assertThat(running().get("/").statusCode()).isEqualTo(503);
        assertThat(running().request(running().dashboard(), "GET", "/readyz").statusCode())
                .isEqualTo(503);
        assertThat(request("POST", POOL + "/backends?address=" + one).statusCode())
                .isEqualTo(200);
        assertThat(running().answers(3)).containsExactly("one");
    }

    @Test
    void rejectsInvalidEdits() throws Exception {
        assertThat(request("POST", POOL + "/backends").body())
                .contains("parameter address is missing (expected: the address of the new backend)");
        assertThat(request("POST", POOL + "/backends?address=here").body()).contains("expected: host:port");
        assertThat(request("POST", POOL + "/backends?address=10.0.0.1:80&weight=1001")
                        .statusCode())
                .isEqualTo(400);
        assertThat(request("POST", POOL + "/backends?address=10.0.0.1:80&until=5m")
                        .statusCode())
                .isEqualTo(400);
        assertThat(request("PUT", POOL + "/backends/" + one).body()).contains("weight or backup");
        assertThat(request("PUT", POOL + "/backends/" + two + "?weight=1").statusCode())
                .isEqualTo(404);
        assertThat(request("POST", "/api/v1/pools/none/backends?address=" + two).statusCode())
                .isEqualTo(404);
        assertThat(request("DELETE", POOL + "/changes?address=" + two).statusCode())
                .isEqualTo(404);
        assertThat(request("PATCH", POOL + "/backends/" + one).statusCode()).isEqualTo(405);
    }

    @Test
    void commandsEditBackends() throws Exception {
        assertThat(running().command(0, "backends", "add", "web", two, "--weight", "2"))
                .startsWith("web/" + two);
        assertThat(running().command(0, "backends", "set", "web", two, "--weight", "5", "--backup", "true"))
                .startsWith("web/" + two);
        assertThat(running().command(0, "backends", "set", "web", two, "--backup", "false"))
                .startsWith("web/" + two);
        assertThat(running().command(0, "backends", "set", "web", two, "--weight", "4", "--backup"))
                .startsWith("web/" + two);
        assertThat(running().command(0, "backends", "remove", "web", two)).isEqualTo("web: 1 of 1 take traffic\n");
        assertThat(running().command(2, "backends", "remove", "web", one)).contains("(with lb: --yes)");
        assertThat(running().command(2, "backends", "reset", "web", one)).contains("has no change to reset");
    }

    /** Edits of backends do not read a zone file that has changed. The next reload reads it. */
    @Test
    void editsDoNotReloadOtherFiles() throws Exception {
        running().close();
        String records = "@ SOA ns1 host 1 1h 1h 1h 1h\n@ NS ns1\nns1 A 192.0.2.1\n";
        Path zone = Files.writeString(directory.resolve("example.zone"), records);
        running = StartedBalancer.start(directory, text(one) + """
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones: [{name: example.com, file: %s}]
                """.formatted(zone));
        Files.writeString(zone, records + "broken\n");

        assertThat(request("POST", POOL + "/backends?address=" + two).statusCode())
                .isEqualTo(200);
        assertThat(running().answers(20)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void brokenStateFileIsMovedAside() throws Exception {
        running().close();
        Files.writeString(directory.resolve("data/backends.json"), "[{}]");

        start(one);

        assertThat(directory.resolve("data/backends.json.bad")).hasContent("[{}]");
        assertThat(running().answers(3)).containsExactly("one");
    }

    private HttpResponse<String> request(String method, String path) throws Exception {
        return running().request(running().dashboard(), method, path);
    }

    private void start(String... backends) throws Exception {
        Files.createDirectories(directory.resolve("data"));
        running = StartedBalancer.start(directory, text(backends));
    }

    private String text(String... backends) {
        StringBuilder list = new StringBuilder();
        for (String each : backends) {
            list.append("      - ").append(each).append('\n');
        }
        return """
                data_dir: %s
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                dashboard: {bind: "127.0.0.1:0"}
                pools:
                  web:
                    strategy: round-robin
                    health: {timeout: 1m}
                    backends:
                """.formatted(directory.resolve("data")) + list;
    }

    private List<Backend> backends() {
        Pool pool = requireNonNull(running().balancer().topology().pools().get("web"));
        return pool.members().stream().map(member -> member.backend()).toList();
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }
}

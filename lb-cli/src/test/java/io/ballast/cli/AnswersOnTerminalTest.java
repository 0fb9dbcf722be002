package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how commands print responses from the API. */
class AnswersOnTerminalTest {

    /**
     * JSON text that clears the screen with both forms of the escape sequence, and reverses the text after it.
     */
    private static final String HOSTILE = "x\\u001b[2J\\u009b2J\\u202ey";

    private static final String SHOWN = "x?[2J?2J?y";

    private final Map<String, String> documents = new HashMap<>();
    private int status = 200;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void statusPrintsNoControlCharacters() {
        documents.put("/api/v1/stats", """
                {"process": {"version": "#"}, "listeners": [{"name": "#", "addr": "#"}],
                 "pools": [{"name": "#", "usable_count": "1#", "healthy_count": "1", "backend_count": "#"}]}""");
        documents.put("/api/v1/health", "{\"ready\": false, \"reason\": \"#\"}");
        documents.put("/api/v1/events", "{\"events\": [{\"time\": \"#\", \"subject\": \"#\", \"text\": \"#\"}]}");

        assertPlain("status");
        assertPlain("status", "--output", "json");
    }

    @Test
    void topPrintsNoControlCharacters() {
        documents.put("/api/v1/pools", pools());

        assertPlain("top");
    }

    @Test
    void backendsPrintNoControlCharacters() {
        documents.put("/api/v1/pools", pools());
        documents.put("/api/v1/pools/web/backends/a:1/drain", backend());
        documents.put("/api/v1/pools/web/changes", "{\"name\": \"#\", \"usable_count\": \"#\", \"backend_count\": 1}");

        assertPlain("backends");
        assertPlain("backends", "drain", "web", "a:1");
        assertPlain("backends", "reset", "web", "a:1");
    }

    @Test
    void poolsPrintNoControlCharacters() {
        documents.put("/api/v1/pools/web/maintenance", "{\"name\": \"#\", \"maintenance\": {\"who\": \"#\"}}");
        documents.put(
                "/api/v1/pools/web/serve", "{\"name\": \"#\", \"usable_count\": \"#\", \"backend_count\": \"#\"}");

        assertPlain("pools", "maintenance", "web", "on");
        assertPlain("pools", "maintenance", "web", "off");
    }

    @Test
    void reloadPrintsNoControlCharacters() {
        documents.put("/api/v1/reload", """
                {"outcome": "refused", "errors": ["#"], "warnings": ["#"], "changes": ["#"]}""");
        assertPlain("reload");

        documents.put("/api/v1/reload", "{\"outcome\": \"applied\", \"published_ms\": \"#\"}");
        assertPlain("reload");
    }

    @Test
    void explainPrintsNoControlCharacters() {
        documents.put("/api/v1/dns/explain", """
                {"name": "#", "type": "#", "client": "#", "decision": "#", "answer": ["#"], "target": {"role": "#",
                 "rule": "#", "state": "#", "reason": "#", "backends": [{"address": "#", "state": "#", "reason": "#"}]}}""");

        assertPlain("dns", "explain", "www.example.org");
    }

    @Test
    void errorPrintsNoControlCharacters() {
        status = 400;

        for (String[] command : List.of(
                new String[] {"status"},
                new String[] {"top"},
                new String[] {"backends"},
                new String[] {"backends", "drain", "web", "a:1"},
                new String[] {"pools", "maintenance", "web", "on"},
                new String[] {"reload"},
                new String[] {"dns", "explain", "www.example.org"})) {
            assertPlain(command);
        }
    }

    @Test
    void configuredWeightIsPrintedBesideOverride() {
        documents.put("/api/v1/pools", """
                {"pools": [{"backends": [{"addr": "a:1", "weight": 5, "file_weight": 1, "weight_order": null},
                                         {"addr": "b:1", "weight": 7, "file_weight": 2, "weight_order": {"who": "ann"}}]}]}""");

        List<String> lines = execute("backends").lines().toList();

        assertThat(lines.get(1)).contains("a:1", " 5 ").doesNotContain("file:");
        assertThat(lines.get(2)).contains("b:1", " 7 (file: 2) ");
    }

    @Test
    void optionIsSuggestedOnlyIfUseful() {
        status = 409;
        documents.put(
                "/api/v1/pools/web/backends/a:1", "{\"detail\": \"nothing would be left; with confirm=true it is\"}");
        assertThat(execute("backends", "remove", "web", "a:1")).contains("(with lb: --yes)");

        documents.put("/api/v1/pools/web/backends/a:1", "{\"detail\": \"another change is under way\"}");
        assertThat(execute("backends", "remove", "web", "a:1"))
                .contains("another change is under way")
                .doesNotContain("--yes");

        documents.put("/api/v1/pools/web/backends/a:1/up", "{\"detail\": \"only with confirm=true\"}");
        assertThat(execute("backends", "up", "web", "a:1"))
                .contains("only with confirm=true")
                .doesNotContain("--yes");
    }

    private static String pools() {
        return "{\"pools\": [{\"name\": \"#\", \"backends\": [" + backend() + "]}]}";
    }

    private static String backend() {
        return """
                {"pool": "#", "addr": "#", "state": "#", "weight": "#", "in_flight": "#", "total_req_count": "#",
                 "avg_res_time": "#", "reason": "#", "recent": {"errors": "#"}}""";
    }

    private void assertPlain(String... command) {
        String text = execute(command);

        assertThat(text).as(String.join(" ", command)).contains(SHOWN);
        assertThat(text.replaceAll("\\R", "")).doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
    }

    private String execute(String... command) {
        StringWriter text = new StringWriter();
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--api", "http://127.0.0.1:" + server.getAddress().getPort()));
        int unused = TestedCommands.commandLine()
                .setOut(new PrintWriter(text, /* autoFlush= */ true))
                .setErr(new PrintWriter(text, /* autoFlush= */ true))
                .execute(all.toArray(String[]::new));
        return text.toString();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String document = documents.getOrDefault(exchange.getRequestURI().getPath(), "{\"detail\": \"#\"}");
        byte[] body = document.replace("#", HOSTILE).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}

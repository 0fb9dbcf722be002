package io.ballast.server.command;

import static io.ballast.server.compose.StartedBalancer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.json.JsonObject;
import io.ballast.server.Main;
import io.ballast.server.compose.StartedBalancer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code lb status} and {@code lb top}. */
class StatusCommandTest {

    private static final int POOL_OUT_OF_SERVICE = 3;

    @TempDir
    private Path directory;

    @Test
    void exitsWith3WithoutUsableBackend() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, config("web"))) {
            String whole = running.command(0, "status");
            assertThat(whole)
                    .startsWith("Ballast ")
                    .contains(", ready\n")
                    .containsPattern("front +127\\.0\\.0\\.1:[0-9]+")
                    .containsPattern("web +2 of 2")
                    .doesNotContain("OUT OF SERVICE");

            running.reload(config("web", "idle"));
            assertThat(running.command(0, "pools", "maintenance", "idle", "on", "--why", "move"))
                    .contains("idle");

            assertThat(running.command(POOL_OUT_OF_SERVICE, "status"))
                    .containsPattern("idle +0 of 2")
                    .contains("under maintenance")
                    .contains("LAST EVENTS")
                    .contains("move");
        }
    }

    @Test
    void jsonHasNumbersAndBooleans() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, config("web"))) {
            String text = running.command(0, "status", "--output", "json");

            assertThat(text).contains("\"usable\":true", "\"usable_count\":2", "\"backend_count\":2");
            Map<String, Object> tree = JsonObject.read(text.getBytes(StandardCharsets.UTF_8));
            assertThat(tree.keySet())
                    .containsExactly(
                            "version",
                            "uptime_seconds",
                            "ready",
                            "reason",
                            "usable",
                            "listeners",
                            "pools",
                            "policies",
                            "events");
            assertThat(tree.get("pools"))
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                    .hasSize(1);
        }
    }

    @Test
    void exitsWith1WithoutBalancerAnd2ForInvalidFile() throws Exception {
        assertThat(execute("status", "--api", "http://127.0.0.1:1"))
                .startsWith("1 ")
                .contains("cannot be reached");
        assertThat(execute("status", directory.resolve("missing.yaml").toString()))
                .startsWith("2 ");
        assertThat(execute("top", "--api", "http://127.0.0.1:1"))
                .startsWith("1 ")
                .contains("cannot be reached");
    }

    @Test
    void topPrintsOneTableWithoutTerminal() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, config("web", "idle"))) {
            running.command(0, "backends", "drain", "idle", "192.0.2.2:80");

            List<String> lines = running.command(0, "top").lines().toList();

            assertThat(lines.get(0)).startsWith("2 pools, 3 of 4 backends in service, ");
            assertThat(lines.get(2)).startsWith("POOL  ADDRESS ");
            assertThat(lines.get(3)).contains("idle", "192.0.2.2:80", "draining");
            assertThat(lines).hasSize(7);
        }
    }

    @Test
    void panicCountsAsOutage() throws Exception {
        try (StartedBalancer running = StartedBalancer.start(directory, """
                listeners: [{name: front, bind: "127.0.0.1:0", pool: web}]
                data_dir: %s
                dashboard: {bind: "127.0.0.1:0"}
                pools:
                  web: {backends: ["127.0.0.1:1"], panic_below: 50%%, health: {type: tcp}}
                """.formatted(directory.resolve("data")))) {
            await(() -> running.stats().contains("\"healthy_count\":0,\"usable_count\":1,\"panic\":true"));

            assertThat(running.command(POOL_OUT_OF_SERVICE, "status"))
                    .containsPattern("web +0 of 1")
                    .contains("OUT OF SERVICE, panic mode: requests go to all backends");
            assertThat(running.command(POOL_OUT_OF_SERVICE, "status", "--output", "json"))
                    .contains("\"usable\":false", "\"healthy_count\":0");
            assertThat(running.command(0, "top")).startsWith("1 pool, 0 of 1 backends in service, ");
        }
    }

    @Test
    void topIntervalIsBounded() {
        assertThat(execute("top", "--interval", "1ms")).startsWith("2 ").contains("--interval", "200ms to 1m");
        assertThat(execute("top", "--interval", "soon")).startsWith("2 ").contains("--interval");
    }

    @Test
    void completionContainsCommandsAndOptions() {
        String script = execute("completion");

        assertThat(script).startsWith("0 #!/usr/bin/env bash").contains("status", "--token-file", "complete ");
    }

    private static String execute(String... args) {
        StringWriter text = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(text, true))
                .setErr(new PrintWriter(text, true))
                .execute(args);
        return code + " " + text;
    }

    private String config(String... pools) {
        StringBuilder text = new StringBuilder("""
                listeners: [{name: front, bind: "127.0.0.1:0", pool: web}]
                data_dir: %s
                dashboard: {bind: "127.0.0.1:0"}
                pools:
                """.formatted(directory.resolve("data")));
        for (String pool : pools) {
            text.append("  ")
                    .append(pool)
                    .append(": {backends: [\"192.0.2.1:80\", \"192.0.2.2:80\"], health: {type: none}}\n");
        }
        return text.toString();
    }
}

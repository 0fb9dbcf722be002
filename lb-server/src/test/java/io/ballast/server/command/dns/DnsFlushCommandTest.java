package io.ballast.server.command.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.Main;
import io.ballast.server.compose.Balancer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command that flushes the DNS cache of a running balancer. */
class DnsFlushCommandTest {

    private static final String CONFIG = """
        dns:
          listeners: [{bind: "127.0.0.1:0"}]
          forward: resolvers
        dashboard: {bind: "127.0.0.1:0"}
        pools:
          resolvers: {backends: ["127.0.0.1:1"], health: {type: none}}
        """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void flushesRunningBalancer() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        try (Balancer balancer = Balancer.start(config)) {
            String api = "http://127.0.0.1:"
                    + balancer.dashboardAddress().orElseThrow().getPort();

            assertThat(run("dns", "flush", "--api", api, "--name", "a.example", "--below"))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).isEqualTo("forgotten: 0\n");
            assertThat(run("dns", "flush", "--api", api, "--type", "A")).isZero();
            assertThat(run("dns", "flush", "--api", api, "--type", "NONE")).isEqualTo(2);
            assertThat(err.toString()).contains("(expected: a record type");
        }
    }

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}

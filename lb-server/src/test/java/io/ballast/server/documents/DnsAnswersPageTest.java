package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.server.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Tests the answers, the output and the times that docs/dns-answers.md lists. */
class DnsAnswersPageTest {

    private static final DocumentPage PAGE = new DocumentPage("docs/dns-answers.md");

    /** Matches a row of the table of answers: the numbers of healthy backends, the addresses, and the TTL. */
    private static final Pattern ANSWER =
            Pattern.compile("(?m)^\\| (\\d) of 2 \\| (\\d) of 2 \\| ([0-9., ]+) \\| (\\d+) s \\|");

    private static final Pattern OUTPUT = Pattern.compile(
            "```console\\n\\$ lb dns explain www\\.example\\.com dns\\.yaml\\n(.*?)```", Pattern.DOTALL);

    /**
     * Matches a row of the table of failover times: interval, fall and TTL, both detection times, and the total time.
     */
    private static final Pattern FAILOVER = Pattern.compile("(?m)^\\| (\\d+)s[^|]* \\| (\\d+)[^|]* \\| (\\d+)s[^|]* "
            + "\\| ([0-9.]+) s \\| ([0-9.]+) s \\| ([0-9.]+) s \\|$");

    @TempDir
    private Path directory;

    static List<MatchResult> answers() {
        List<MatchResult> rows = PAGE.matches(ANSWER);
        assertThat(rows).hasSize(5);
        return rows;
    }

    @ParameterizedTest
    @MethodSource("answers")
    void healthGivesListedAnswer(MatchResult row) throws Exception {
        BallastConfig config = PAGE.loadExample(directory);
        Topology topology = DocumentPage.topology(config);
        setHealthy(topology.pool("frankfurt"), Integer.parseInt(row.group(1)));
        setHealthy(topology.pool("dublin"), Integer.parseInt(row.group(2)));

        try (CompiledZones zones =
                CompiledZones.start(config.dns().orElseThrow(), ZoneInputs.of(topology, Optional.empty()))) {
            Explanation explained = zones.explain("www.example.com", RecordType.A, Optional.empty());

            assertThat(String.join(", ", explained.answer())).isEqualTo(row.group(3));
            assertThat(explained.ttlSeconds()).isEqualTo(Integer.parseInt(row.group(4)));
        }
    }

    /** Makes the first backends of a pool healthy and takes all other backends down. */
    private static void setHealthy(Pool pool, int healthy) {
        for (int i = 0; i < pool.members().size(); i++) {
            BackendState state = i < healthy ? BackendState.UP : BackendState.DOWN;
            pool.members()
                    .get(i)
                    .backend()
                    .health(new HealthStatus(
                            state, Instant.EPOCH, HealthStatus.Origin.CHECK, "test", HealthStatus.LastCheck.NONE));
        }
        pool.refresh();
    }

    @Test
    void commandPrintsListedOutput() throws Exception {
        Path file = Files.writeString(directory.resolve("dns.yaml"), PAGE.example());
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out));

        int code = line.execute("dns", "explain", "www.example.com", file.toString());

        assertThat(code).isZero();
        assertThat(out.toString().replace(System.lineSeparator(), "\n"))
                .isEqualTo(PAGE.matches(OUTPUT).get(0).group(1));
    }

    /** Computes the formula of the page with a timeout and a fast interval of one second. */
    @Test
    void timesOfFailoverFollowFormula() {
        List<MatchResult> rows = PAGE.matches(FAILOVER);
        assertThat(rows).hasSize(3);
        for (MatchResult row : rows) {
            int interval = Integer.parseInt(row.group(1));
            int fall = Integer.parseInt(row.group(2));
            double refused = 1.1 * (interval + fall - 1);
            double silent = refused + fall;

            assertThat(List.of(row.group(4), row.group(5), row.group(6)))
                    .containsExactly(
                            seconds(silent), seconds(refused), seconds(silent + Integer.parseInt(row.group(3))));
        }
    }

    private static String seconds(double time) {
        return Double.toString(Math.round(10 * time) / 10.0);
    }
}

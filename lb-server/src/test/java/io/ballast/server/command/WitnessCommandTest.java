package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.server.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which configurations {@code lb cluster witness} refuses; launcher.sh starts a witness. */
class WitnessCommandTest {

    private static final String LISTENER =
            "listeners: [{bind: \"127.0.0.1:0\", pool: web}]\npools: {web: {backends: [\"127.0.0.1:1\"]}}\n";

    private final StringWriter errors = new StringWriter();

    @TempDir
    private Path directory;

    @BeforeEach
    void createCertificates() {
        assertThat(run("cluster", "init", "edge", "--directory", directory.toString()))
                .isZero();
        assertThat(run("cluster", "cert", "n3", "--directory", directory.toString()))
                .isZero();
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(errors, /* autoFlush= */ true))
                .execute(arguments);
    }

    private String refuse(String configuration) throws IOException {
        Path file = Files.writeString(directory.resolve("witness.yaml"), configuration);
        assertThat(run("cluster", "witness", file.toString())).isEqualTo(2);
        return errors.toString();
    }

    private static String cluster(String voters, String more) {
        return """
            cluster:
              name: edge
              bind: 127.0.0.1:0
              peers: []
              voters: [%s]
              tls: {certificate: n3.crt, key: n3.key, ca: ca.crt}
              %s
            """.formatted(voters, more);
    }

    @Test
    void fileWithoutClusterIsRefused() throws IOException {
        assertThat(refuse(LISTENER))
                .contains("witness.yaml: cluster is missing (expected: the cluster in which this node votes)");
    }

    @Test
    void sharedConfigurationIsRefused() throws IOException {
        assertThat(refuse(cluster("n1, n2, n3", "")))
                .contains("witness.yaml: cluster.configuration: shared (expected: local; ");
    }

    @Test
    void listenersAreRefused() throws IOException {
        assertThat(refuse(cluster("n1, n2, n3", "configuration: local") + LISTENER))
                .contains("witness.yaml: a witness serves no clients (expected: no listeners, dns or agents)");
    }

    @Test
    void nodeWithoutVoteIsRefused() throws IOException {
        assertThat(refuse(cluster("n1, n2, n4", "configuration: local")))
                .contains("witness.yaml: cluster.voters: [n1, n2, n4] (expected: one of them is n3, the name in the"
                        + " certificate of this node)");
    }

    @Test
    void unknownKeyIsReportedWithItsPlace() throws IOException {
        assertThat(refuse(cluster("n1, n2, n3", "configuration: local") + "votes: 1\n"))
                .contains("witness.yaml:8:1: unknown key 'votes'");
    }
}

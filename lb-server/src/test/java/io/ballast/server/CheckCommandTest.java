package io.ballast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {

    private static final String GOOD = "port: 8000\nbackends: [localhost:8080]\n";
    private static final String BAD = "prot: 8000\nbackends: []\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void goodFileGivesOneLine() throws IOException {
        Path file = file(GOOD);

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(out).hasToString(file + ": OK, 1 listener, 1 pool, 1 backend" + System.lineSeparator());
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void badFileGivesEveryProblemAndExitCodeTwo() throws IOException {
        Path file = file(BAD);

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ":1:1: unknown key 'prot', did you mean 'port'?",
                        file + ":1:1: missing key 'port'",
                        file + ":2:11: backends: an empty list (expected: at least one item)");
    }

    @Test
    void filesThatAServerNeedsAreOpened() throws IOException {
        Path file = file("""
                dns:
                  listeners: [{bind: 127.0.0.1:53}, {bind: 127.0.0.1:853, protocol: dot, tls: {certificate: a.crt, key: a.key}}]
                  zones: [{name: example.com}]
                geo: {database: a.mmdb, regions: {eu: {continents: [EU]}}, default_region: eu}
                """);

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file + ": dns.listeners[1].tls: " + directory.resolve("a.crt") + ": no such file",
                        file + ": geo.database: " + directory.resolve("a.mmdb") + ": does not exist");
    }

    @Test
    void missingFileIsNamed() {
        Path file = directory.resolve("absent.yaml");

        int exitCode = check(file.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err).hasToString(file + ": does not exist" + System.lineSeparator());
    }

    @Test
    void warningGoesToStandardErrorAndStopsNothing() throws IOException {
        Path file = file(GOOD + "middlewares: []\n");

        int exitCode = check(file.toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("OK");
        assertThat(err)
                .hasToString(file + ":3:14: warning: middlewares: ignored: this version runs no middlewares"
                        + System.lineSeparator());
    }

    @Test
    void explanationIsAConfigurationItself() throws IOException {
        check("--explain", file(GOOD).toString());
        Path explained = file(out.toString());

        int exitCode = check(explained.toString());

        assertThat(exitCode).isZero();
        assertThat(Files.readString(explained)).contains("health:", "type: tcp", "grace: 30s");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("lb.yaml"), text);
    }

    private int check(String... arguments) {
        CommandLine command = Main.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true));
        String[] all = new String[arguments.length + 1];
        all[0] = "check";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return command.execute(all);
    }
}

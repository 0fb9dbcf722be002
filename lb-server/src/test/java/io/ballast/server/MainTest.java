package io.ballast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionPrintsVersionAndCommit() {
        int exitCode = execute("version");

        assertThat(exitCode).isZero();
        assertThat(out.toString()).matches("ballast \\d+\\.\\d+\\.\\d+\\S* \\(commit [0-9a-z]+, \\S+\\)\\R");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void missingCommandIsUsageError() {
        int exitCode = execute();

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("no command given").contains("Usage: lb");
    }

    private int execute(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}

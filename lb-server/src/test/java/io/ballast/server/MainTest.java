package io.ballast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    @Test
    void unknownCommandSuggestsSimilarOnes() {
        assertThat(execute("versio")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("Did you mean: lb version");
    }

    /** The command line library would need half a second of CPU time to read all commands. */
    @Test
    void onlyTheNamedCommandIsRead() {
        assertThat(Main.commandLineFor("version").getSubcommands()).containsOnlyKeys("version");
        assertThat(Main.commandLineFor("backends", "drain").getSubcommands()).containsOnlyKeys("backends");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "-V", "no-such-command", "@arguments", "completion"})
    void otherArgumentsNeedAllCommands(String first) {
        assertThat(Main.commandLineFor(first).getSubcommands().keySet())
                .isEqualTo(Main.commandLine().getSubcommands().keySet())
                .hasSizeGreaterThan(20);
    }

    @Test
    void commandsHaveTheirNamesAndTheSameHelp() {
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            CommandLine alone = Main.commandLineFor(name).getSubcommands().get(name);

            assertThat(command.getCommandName()).isEqualTo(name);
            assertThat(alone.getUsageMessage()).isEqualTo(command.getUsageMessage());
        });
    }

    private int execute(String... args) {
        return Main.commandLineFor(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}

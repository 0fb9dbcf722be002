package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.server.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Tests that every command that takes a name and a file reports when they are in the wrong order. */
class ArgumentOrderTest {

    @TempDir
    private Path directory;

    static List<String> commands() {
        List<String> commands = new ArrayList<>();
        all(Main.commandLine())
                .filter(command -> has(command, Path.class) && has(command, String.class))
                .forEach(command -> commands.add(command.getCommandSpec().qualifiedName()));
        commands.addAll(List.of("lb dnssec ds", "lb dnssec status", "lb dnssec rollover"));
        assertThat(commands).contains("lb dns test", "lb dns allow", "lb dns explain", "lb backends drain");
        return commands;
    }

    private static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(ArgumentOrderTest::all));
    }

    private static boolean has(CommandLine command, Class<?> type) {
        return command.getCommandSpec().positionalParameters().stream()
                .anyMatch(parameter -> parameter.type().equals(type));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void reportsArgumentOrder(String name) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), "");
        List<String> arguments = new ArrayList<>(List.of(name.split(" ")));
        arguments.remove(0);
        CommandLine command = Main.commandLine();
        for (String word : arguments) {
            command = command.getSubcommands().get(word);
        }
        boolean isOfZone = name.startsWith("lb dnssec");
        if (isOfZone) {
            arguments.addAll(List.of("www.example.com", file.toString()));
        } else {
            boolean isTaken = false;
            for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
                boolean isPlace = parameter.type().equals(String.class) && !isTaken;
                arguments.add(isPlace ? file.toString() : parameter.type().isEnum() ? "on" : "www.example.com");
                isTaken |= isPlace;
            }
        }

        StringWriter err = new StringWriter();
        int exitCode = Main.commandLine()
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute(arguments.toArray(String[]::new));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString())
                .contains("'www.example.com' is not a file, but '" + file + "' is (expected: " + name + " ");
    }

    @Test
    void reportsMissingFile() {
        StringWriter err = new StringWriter();
        int exitCode = Main.commandLine()
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute(
                        "dns",
                        "test",
                        "www.example.com",
                        directory.resolve("missing.yaml").toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("missing.yaml: does not exist").doesNotContain("is no file");
    }
}

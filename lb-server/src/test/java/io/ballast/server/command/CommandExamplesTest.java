package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.server.Main;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Tests that each command's help has examples, and that each example is a command line that the parser accepts. */
class CommandExamplesTest {

    static Stream<String> commands() {
        List<String> names = new ArrayList<>();
        collect(Main.commandLine(), names);
        return names.stream();
    }

    private static void collect(CommandLine command, List<String> names) {
        names.add(command.getCommandSpec().qualifiedName());
        command.getSubcommands().values().forEach(sub -> collect(sub, names));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpExamplesAreParsed(String name) {
        CommandLine command = Main.commandLine();
        String[] words = name.split(" ");
        for (int i = 1; i < words.length; i++) {
            command = command.getSubcommands().get(words[i]);
        }

        String[] examples = command.getCommandSpec().usageMessage().footer();

        assertThat(examples).isNotEmpty();
        assertThat(command.getUsageMessage(Ansi.OFF))
                .contains(String.format("%nExamples:%n"))
                .doesNotContain("\u001B");
        for (String example : examples) {
            assertThat(example).startsWith("  lb ").startsWith("  " + name);
            String[] arguments = example.replaceAll("\"[^\"]*\"", "text")
                    .replaceFirst(" [|>] .*", "")
                    .strip()
                    .replaceFirst("^lb ", "")
                    .split(" ");
            assertThat(Main.commandLine().parseArgs(arguments).errors()).isEmpty();
        }
    }
}

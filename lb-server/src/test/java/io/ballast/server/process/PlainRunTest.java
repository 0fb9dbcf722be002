package io.ballast.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.server.Main;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;

class PlainRunTest {

    static List<List<String>> needTheLibrary() {
        return List.of(
                List.of(),
                List.of("run"),
                List.of("run", "--help"),
                List.of("run", "-h"),
                List.of("run", "@arguments"),
                List.of("run", ""),
                List.of("run", "a.yaml", "b.yaml"),
                List.of("check", "a.yaml"));
    }

    @ParameterizedTest
    @MethodSource("needTheLibrary")
    void otherArgumentsUseCommandLineLibrary(List<String> arguments) {
        assertThat(Main.isPlainRun(arguments.toArray(String[]::new))).isFalse();
    }

    @Test
    void agreesWithCommandLineLibrary() {
        String[] arguments = {"run", "some where/lb.yaml"};

        ParseResult parsed = Main.commandLine().parseArgs(arguments).subcommand();

        assertThat(Main.isPlainRun(arguments)).isTrue();
        assertThat(parsed.commandSpec().name()).isEqualTo("run");
        assertThat(parsed.matchedPositional(0).<Object>getValue()).hasToString("some where/lb.yaml");
    }
}

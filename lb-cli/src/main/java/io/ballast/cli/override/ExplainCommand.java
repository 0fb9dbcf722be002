package io.ballast.cli.override;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb explain}: explains the state of a running balancer. */
@Command(
        name = "explain",
        description = "Explains why a backend of a running balancer has its state and its weight."
                + " Exit code 0: done; 2: there is no such backend; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Command(
            name = "backend",
            description =
                    "Shows what can decide the state of a backend, the highest authority first; an asterisk marks what"
                            + " decides it now.",
            mixinStandardHelpOptions = true)
    int backend(
            @Parameters(
                            index = "0",
                            paramLabel = "POOL/ADDRESS",
                            description = "The backend, such as web/10.0.0.7:8080.")
                    String name,
            @Parameters(
                            index = "1",
                            arity = "0..1",
                            paramLabel = "CONFIG",
                            defaultValue = DashboardOptions.CONFIG,
                            description = DashboardOptions.CONFIG_TEXT)
                    Path file,
            @Mixin DashboardOptions at) {
        int slash = name.indexOf('/');
        if (slash < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + name + "' has no slash (expected: POOL/ADDRESS, such as web/10.0.0.7:8080)");
        }
        ApiRequest request = ApiRequest.get("backends", name.substring(0, slash), name.substring(slash + 1), "explain");
        return at.send(
                file,
                request,
                (answer, out) -> BackendExplanationText.lines(answer).forEach(out::println));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

package io.ballast.cli.override;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.cli.api.UrlQuery;
import java.nio.file.Path;
import java.time.Duration;
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

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

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
        String path = "/api/v1/backends/" + UrlQuery.encode(name.substring(0, slash)) + "/"
                + UrlQuery.encode(name.substring(slash + 1)) + "/explain";
        return at.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("GET", path, TIMEOUT);
            if (answer.status() != OK) {
                err.println("lb: " + answer.detail());
                return DashboardOptions.exitCode(answer.status());
            }
            BackendExplanationText.lines(new ApiObject(answer.body())).forEach(out::println);
            return 0;
        });
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

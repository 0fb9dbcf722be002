package io.ballast.cli;

import io.ballast.cli.api.DashboardApi;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.config.load.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lb reload}: makes a running balancer reload its configuration, and prints the result. */
@Command(
        name = "reload",
        description = "Reloads the configuration file of a running balancer; applies all changes or none."
                + " Exit code 0: done, or nothing has changed; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class ReloadCommand implements Callable<Integer> {

    /** Time limit of a reload, which takes some seconds for zones with a million names. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final String PATH = "/api/v1/reload";

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Option(names = "--dry-run", description = "Print the changes without applying them.")
    private boolean dryRun;

    @Override
    public Integer call() {
        return dashboard.runWithDashboard(file, (api, out, err) -> {
            DashboardApi.Answer answer = api.sendRequest("POST", dryRun ? PATH + "?dry_run=true" : PATH, TIMEOUT);
            Object outcome = answer.body().get("outcome");
            if (outcome == null) {
                throw new DashboardOptions.RefusedException(api.url() + ": " + answer.detail(), answer.status());
            }
            lines(answer.body(), "warnings").forEach(warning -> err.println("warning: " + warning));
            lines(answer.body(), "errors").forEach(err::println);
            lines(answer.body(), "changes").forEach(out::println);
            out.println(summary(outcome.toString(), answer.body()));
            return "refused".equals(outcome) ? ConfigException.EXIT_CODE : 0;
        });
    }

    private static String summary(String outcome, Map<String, Object> body) {
        return switch (outcome) {
            case "applied" -> "applied, published in " + body.get("published_ms") + " ms";
            case "unchanged" -> "unchanged";
            case "dry_run" ->
                lines(body, "changes").isEmpty()
                        ? "no key would change; contents of files and addresses of host names are not compared"
                        : "dry run: no changes were applied";
            default -> "refused; no changes were applied";
        };
    }

    private static List<String> lines(Map<String, Object> body, String key) {
        return body.get(key) instanceof List<?> lines
                ? lines.stream().map(Objects::toString).toList()
                : List.of();
    }
}

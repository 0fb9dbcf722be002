package io.ballast.cli;

import io.ballast.cli.api.ApiObject;
import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.config.load.ConfigException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb reload}: makes a running balancer reload its configuration, and prints the result. */
@Command(
        name = "reload",
        description = "Reloads the configuration file of a running balancer; applies all changes or none."
                + " Exit code 0: done, or nothing has changed; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
public final class ReloadCommand implements Callable<Integer> {

    /** Time limit of a reload, which takes some seconds for zones with a million names. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Option(names = "--dry-run", description = "Print the changes without applying them.")
    private boolean dryRun;

    @Override
    public Integer call() {
        ApiRequest request =
                ApiRequest.post("reload").withFlag("dry_run", dryRun).timeout(TIMEOUT);
        return dashboard.runWithDashboard(config.file(), (api, out, err) -> {
            ApiObject reload = api.fetch(request, "outcome");
            reload.texts("warnings").forEach(warning -> err.println("warning: " + warning));
            reload.texts("errors").forEach(err::println);
            reload.texts("changes").forEach(out::println);
            out.println(summary(reload));
            return "refused".equals(reload.text("outcome")) ? ConfigException.EXIT_CODE : 0;
        });
    }

    private static String summary(ApiObject reload) {
        return switch (reload.text("outcome")) {
            case "applied" -> "applied, published in " + reload.text("published_ms") + " ms";
            case "unchanged" -> "unchanged";
            case "dry_run" ->
                reload.texts("changes").isEmpty()
                        ? "no key would change; contents of files and addresses of host names are not compared"
                        : "dry run: no changes were applied";
            default -> "refused; no changes were applied";
        };
    }
}

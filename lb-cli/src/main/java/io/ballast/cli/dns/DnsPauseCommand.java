package io.ballast.cli.dns;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.core.DurationText;
import io.ballast.core.ErrorText;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb dns pause}: pauses the filter of a running balancer for a while. */
@Command(
        name = "pause",
        description = "Pauses the filter of a running balancer, for all clients or for a group."
                + " Rewrites and DNS rebinding protection stay active."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsPauseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Option(names = "--for", paramLabel = "TIME", description = "The duration, at most 24h (default: 5m).")
    private String time = "5m";

    @Option(names = "--group", paramLabel = "GROUP", description = "The client group (default: all clients).")
    private @Nullable String group;

    @Override
    public Integer call() {
        Duration parsed;
        try {
            parsed = DurationText.parse(time);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--for: " + ErrorText.of(e), e);
        }
        ApiRequest command =
                FilterApi.command("pause").with("seconds", parsed.toSeconds()).with("group", group);
        return FilterApi.send(dashboard, config.file(), command, "paused for " + time);
    }
}

package io.ballast.cli.dns;

import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb dns resume}: resumes the filter of a running balancer. */
@Command(
        name = "resume",
        description = "Resumes the filter of a running balancer before the end of a pause."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsResumeCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Option(names = "--group", paramLabel = "GROUP", description = "The client group (default: all clients).")
    private @Nullable String group;

    @Override
    public Integer call() {
        return FilterApi.send(
                dashboard, config.file(), FilterApi.command("resume").with("group", group), "resumed");
    }
}

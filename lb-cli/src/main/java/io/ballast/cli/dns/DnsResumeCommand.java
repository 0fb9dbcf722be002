package io.ballast.cli.dns;

import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lb dns resume}: resumes the filter of a running balancer. */
@Command(
        name = "resume",
        description = "Resumes the filter of a running balancer before the end of a pause."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsResumeCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Option(names = "--group", paramLabel = "GROUP", description = "The client group (default: all clients).")
    private @Nullable String group;

    @Override
    public Integer call() {
        return FilterApi.send(dashboard, file, FilterApi.command("resume").with("group", group), "resumed");
    }
}

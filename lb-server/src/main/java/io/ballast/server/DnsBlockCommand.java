package io.ballast.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lb dns block}: blocks a name at once. */
@Command(
        name = "block",
        description = "Blocks a name with all below it at once, whatever lists say, and keeps that in data_dir."
                + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class DnsBlockCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The name.")
    private String name;

    @Parameters(
            index = "1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Override
    public Integer call() {
        return FilterCall.give(dashboard, file, "block", Map.of("name", name), "blocked: " + name);
    }
}

package io.ballast.cli.dns;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.ConfigArgument;
import io.ballast.cli.api.DashboardOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb dns flush}: flushes the DNS cache of a running balancer. */
@Command(
        name = "flush",
        description = "Flushes the DNS cache of a running balancer: all answers, or those of a name or a type."
                + " Exit code 0: done; 3: pending in the cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsFlushCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ConfigArgument config = new ConfigArgument();

    @Option(names = "--name", paramLabel = "NAME", description = "The name (default: all names).")
    private @Nullable String name;

    @Option(names = "--below", description = "Also include all names below the name.")
    private boolean below;

    @Option(names = "--type", description = "Only records of this type, such as AAAA.")
    private @Nullable String type;

    @Override
    public Integer call() {
        ApiRequest request = ApiRequest.post("dns", "cache", "flush")
                .with("name", name)
                .withFlag("below", below)
                .with("type", type);
        return dashboard.send(
                config.file(), request, (flushed, out) -> out.println("forgotten: " + flushed.text("forgotten")));
    }
}

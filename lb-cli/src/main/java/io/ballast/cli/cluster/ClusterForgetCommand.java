package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lb cluster forget}: removes a node that will not return. */
@Command(
        name = "forget",
        description =
                "Removes a node that will not return: it is no longer missing, does not count for a majority, and has"
                        + " no part of shared limits. Refused while the node is connected. If it connects again, it joins as"
                        + " a new node. Exit code 0: done; 3: pending in the cluster; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class ClusterForgetCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Parameters(index = "0", paramLabel = "NODE", description = "Name of the node.")
    private String node = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    @Override
    public Integer call() {
        return dashboard.send(
                file,
                ApiRequest.delete("cluster", "nodes", node).withUser(),
                (reply, out) -> out.println("forgotten: " + reply.text("forgotten")));
    }
}

package io.ballast.cli.cluster;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lb cluster rollback}: applies the content of an earlier version again. */
@Command(
        name = "rollback",
        description = "Applies the content of an earlier version of the cluster's configuration again, as a new version"
                + " that the nodes check. Exit codes as those of lb cluster apply.",
        mixinStandardHelpOptions = true)
final class ClusterRollbackCommand implements Callable<Integer> {

    @Mixin
    private DashboardOptions dashboard = new DashboardOptions();

    @Mixin
    private ApplyOptions options = new ApplyOptions();

    @Parameters(
            arity = "0..2",
            paramLabel = "VERSION|CONFIG",
            description = {
                "The number of the version (default: the one that was active before the active one).",
                "A configuration file with the address of the dashboard, used without --api (default: config.yaml)."
            })
    private String @Nullable [] arguments;

    @Override
    public Integer call() {
        VersionArguments given = VersionArguments.of(arguments);
        return dashboard.runWithDashboard(given.config(), (api, out, err) -> {
            given.requireVersions(1);
            ApiRequest request = ApiRequest.post("cluster", "configuration", "rollback")
                    .with(
                            "version",
                            given.versions().isEmpty() ? null : given.versions().get(0));
            return options.propose(api, request, out, err);
        });
    }
}

package io.ballast.cli.dns;

import io.ballast.cli.api.ApiRequest;
import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command to the filter of a running balancer that applies to one name. */
abstract class FilterNameCommand implements Callable<Integer> {

    private final String commandName;
    private final String successText;

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

    /**
     * @param order name of the command in the API
     * @param done message that is printed on success, before the name
     */
    FilterNameCommand(String order, String done) {
        this.commandName = order;
        this.successText = done;
    }

    @Override
    public final Integer call() {
        ApiRequest command = FilterApi.command(commandName).with("name", name);
        return FilterApi.send(dashboard, file, command, successText + ": " + name);
    }
}

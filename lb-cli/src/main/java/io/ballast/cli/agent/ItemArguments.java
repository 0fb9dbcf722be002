package io.ballast.cli.agent;

import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** A mixin with the arguments of a command about one agent or token. */
final class ItemArguments {

    @Parameters(index = "0", paramLabel = "NAME", description = "The id of the agent, or the name of the token.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    String name() {
        return name;
    }

    Path file() {
        return file;
    }
}

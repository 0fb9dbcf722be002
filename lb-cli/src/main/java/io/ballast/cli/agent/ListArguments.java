package io.ballast.cli.agent;

import io.ballast.cli.api.DashboardOptions;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** A mixin with the arguments of a command that lists all agents or tokens. */
final class ListArguments {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    Path file() {
        return file;
    }
}

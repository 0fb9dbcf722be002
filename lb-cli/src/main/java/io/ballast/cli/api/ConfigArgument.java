package io.ballast.cli.api;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** A mixin with the only argument of a command: the optional configuration file with the address of the dashboard. */
public final class ConfigArgument {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CONFIG",
            defaultValue = DashboardOptions.CONFIG,
            description = DashboardOptions.CONFIG_TEXT)
    private Path file = Path.of(DashboardOptions.CONFIG);

    /** Returns the path of the file, which may not exist. */
    public Path file() {
        return file;
    }
}

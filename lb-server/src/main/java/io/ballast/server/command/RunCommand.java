package io.ballast.server.command;

import io.ballast.server.check.ExecPermission;
import io.ballast.server.process.ServerProcess;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb run}: runs a balancer until it is stopped. */
@Command(
        name = "run",
        description = "Runs the balancer with a configuration file until SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONFIG",
            defaultValue = "config.yaml",
            description = "The configuration file (default: config.yaml).")
    private Path file = Path.of("config.yaml");

    @Option(names = "--watch", description = "Reload when a file of the configuration changes.")
    private boolean watch;

    @Option(names = "--allow-exec", description = "Allow health checks of type exec to run programs.")
    private boolean allowExec;

    @Override
    public Integer call() throws InterruptedException {
        if (allowExec) {
            ExecPermission.grant();
        }
        return ServerProcess.runProcess(file, watch, spec.commandLine().getErr());
    }
}

package io.ballast.server.command;

import io.ballast.server.check.ExecPermission;
import io.ballast.server.process.AgentProcess;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb agent}: runs an agent, which checks the backends of its machine and reports the results to nodes. */
@Command(
        name = "agent",
        description =
                "Runs an agent, which checks the backends of this machine and reports the results to the nodes. After SIGTERM"
                        + " or SIGINT, it drains and removes the backends, then ends; a second signal ends it at once.",
        mixinStandardHelpOptions = true)
public final class AgentCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", description = "The file of the agent.")
    private Path file;

    @Option(names = "--allow-exec", description = "Allow health checks of type exec to run programs.")
    private boolean allowExec;

    @Override
    public Integer call() throws InterruptedException {
        if (allowExec) {
            ExecPermission.grant();
        }
        return AgentProcess.run(file, spec.commandLine().getErr(), new CountDownLatch(1));
    }
}

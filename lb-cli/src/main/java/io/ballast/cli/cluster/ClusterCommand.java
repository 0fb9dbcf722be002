package io.ballast.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb cluster}: creates the certificates of a cluster, shows its state, and applies its configuration. */
@Command(
        name = "cluster",
        description =
                "Creates the certificates of a cluster, shows its state, applies its configuration, and removes nodes.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ClusterInitCommand.class,
            ClusterCertCommand.class,
            ClusterStatusCommand.class,
            ClusterApplyCommand.class,
            ClusterHistoryCommand.class,
            ClusterDiffCommand.class,
            ClusterRollbackCommand.class,
            ClusterForgetCommand.class
        })
public final class ClusterCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command (expected: init, cert, status, apply, history, diff, rollback, forget or witness)");
    }
}

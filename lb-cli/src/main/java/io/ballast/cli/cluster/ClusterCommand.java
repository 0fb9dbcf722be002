package io.ballast.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb cluster}: creates the certificates of a cluster, and shows its state. */
@Command(
        name = "cluster",
        description = "Creates the certificates of a cluster, shows its state, and removes nodes.",
        mixinStandardHelpOptions = true,
        subcommands = {
            ClusterInitCommand.class,
            ClusterCertCommand.class,
            ClusterStatusCommand.class,
            ClusterForgetCommand.class
        })
public final class ClusterCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command (expected: init, cert, status or forget)");
    }
}

package io.ballast.server.command;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.identity.NodeIdentity;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb cluster witness}: runs a voter that serves no clients. */
@Command(
        name = "witness",
        description = "Runs a voter that serves no clients, for example the third voter of two nodes, until SIGTERM or"
                + " SIGINT. It needs less memory than a node. Exit code 2: the configuration is not that of a witness.",
        mixinStandardHelpOptions = true)
public final class WitnessCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONFIG",
            description = "The configuration file: the section cluster with 'configuration: local', and no listeners.")
    private Path file;

    @Override
    public Integer call() throws InterruptedException {
        ConfigReport report = new ConfigReport(spec.commandLine().getErr());
        try {
            BallastConfig config = ConfigLoader.ofProcess().load(file).config();
            List<String> problems = config.cluster().isEmpty()
                    ? List.of("cluster is missing (expected: the cluster in which this node votes)")
                    : problems(config, config.cluster().get());
            if (!problems.isEmpty()) {
                return report.printFailure(file, problems);
            }
        } catch (ConfigException e) {
            return report.printFailure(e);
        }
        return ServerProcess.runProcess(
                file, /* watch= */ false, spec.commandLine().getErr());
    }

    private static List<String> problems(BallastConfig config, ClusterConfig cluster) {
        List<String> problems = new ArrayList<>();
        if (cluster.isShared()) {
            problems.add(
                    "cluster.configuration: shared (expected: local; a witness does not use the configuration of the"
                            + " other nodes)");
        }
        if (!config.listeners().isEmpty()
                || config.dns().isPresent()
                || config.agents().isPresent()) {
            problems.add("a witness serves no clients (expected: no listeners, dns or agents)");
        }
        notVoting(cluster).ifPresent(problems::add);
        return problems;
    }

    private static Optional<String> notVoting(ClusterConfig cluster) {
        try {
            String name = NodeIdentity.load(cluster.tls()).name();
            return cluster.voters().contains(name)
                    ? Optional.empty()
                    : Optional.of("cluster.voters: " + cluster.voters() + " (expected: one of them is " + name
                            + ", the name in the certificate of this node)");
        } catch (IOException e) {
            return Optional.of("cluster.tls: " + ErrorText.of(e));
        }
    }
}

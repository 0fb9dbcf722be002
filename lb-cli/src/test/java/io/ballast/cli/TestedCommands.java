package io.ballast.cli;

import io.ballast.cli.agent.AgentsCommand;
import io.ballast.cli.agent.TokensCommand;
import io.ballast.cli.cluster.ClusterCommand;
import io.ballast.cli.dns.DnsCommand;
import io.ballast.cli.dnssec.DnssecCommand;
import io.ballast.cli.pool.BackendsCommand;
import io.ballast.cli.pool.PoolsCommand;
import io.ballast.cli.status.StatusCommand;
import io.ballast.cli.status.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code lb} with the commands of this module only. */
public final class TestedCommands {

    private TestedCommands() {}

    /** Returns the command line, ready to execute. */
    public static CommandLine commandLine() {
        return new CommandLine(CommandSpec.create().name("lb"))
                .addSubcommand(ImportCommand.class)
                .addSubcommand(StatusCommand.class)
                .addSubcommand(TopCommand.class)
                .addSubcommand(ReloadCommand.class)
                .addSubcommand(BackendsCommand.class)
                .addSubcommand(PoolsCommand.class)
                .addSubcommand(CacheCommand.class)
                .addSubcommand(AcmeCommand.class)
                .addSubcommand(ClusterCommand.class)
                .addSubcommand(AgentsCommand.class)
                .addSubcommand(TokensCommand.class)
                .addSubcommand(DnsCommand.class)
                .addSubcommand(DnssecCommand.class)
                .addSubcommand(PasswordCommand.class)
                .addSubcommand(TokenCommand.class)
                .addSubcommand(CompletionCommand.class)
                .setExecutionStrategy(new ArgumentOrder());
    }
}

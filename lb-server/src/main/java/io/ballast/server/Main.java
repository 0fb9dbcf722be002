package io.ballast.server;

import io.ballast.cli.AcmeCommand;
import io.ballast.cli.ArgumentOrder;
import io.ballast.cli.CacheCommand;
import io.ballast.cli.CommandExamples;
import io.ballast.cli.CompletionCommand;
import io.ballast.cli.ImportCommand;
import io.ballast.cli.PasswordCommand;
import io.ballast.cli.ReloadCommand;
import io.ballast.cli.TokenCommand;
import io.ballast.cli.agent.AgentsCommand;
import io.ballast.cli.agent.TokensCommand;
import io.ballast.cli.cluster.ClusterCommand;
import io.ballast.cli.dns.DnsCommand;
import io.ballast.cli.dnssec.DnssecCommand;
import io.ballast.cli.override.ExplainCommand;
import io.ballast.cli.override.OverridesCommand;
import io.ballast.cli.pool.BackendsCommand;
import io.ballast.cli.pool.PoolsCommand;
import io.ballast.cli.status.StatusCommand;
import io.ballast.cli.status.TopCommand;
import io.ballast.server.command.AgentCommand;
import io.ballast.server.command.CheckCommand;
import io.ballast.server.command.DemoCommand;
import io.ballast.server.command.RestartCommand;
import io.ballast.server.command.RunCommand;
import io.ballast.server.command.TrainCommand;
import io.ballast.server.command.VersionCommand;
import io.ballast.server.host.JdkDefaults;
import io.ballast.server.host.NettyDefaults;
import io.ballast.server.process.ServerProcess;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line {@code lb}; each subcommand is a class of its own. */
@Command(
        name = "lb",
        description = "A load balancer for HTTP and DNS in one process, over the same backends.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        subcommands = {
            RunCommand.class,
            AgentCommand.class,
            DemoCommand.class,
            CheckCommand.class,
            ImportCommand.class,
            StatusCommand.class,
            TopCommand.class,
            ReloadCommand.class,
            RestartCommand.class,
            BackendsCommand.class,
            PoolsCommand.class,
            OverridesCommand.class,
            ExplainCommand.class,
            CacheCommand.class,
            AcmeCommand.class,
            ClusterCommand.class,
            AgentsCommand.class,
            TokensCommand.class,
            DnsCommand.class,
            DnssecCommand.class,
            PasswordCommand.class,
            TokenCommand.class,
            TrainCommand.class,
            CompletionCommand.class,
            VersionCommand.class
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Runs the command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] args) throws InterruptedException {
        JdkDefaults.apply();
        NettyDefaults.apply();
        System.exit(isPlainRun(args) ? run(args[1]) : commandLine().execute(args));
    }

    /**
     * Whether the command line is exactly {@code lb run FILE}, as in production. Initializing the command line
     * library takes a tenth of the start time, so this command bypasses it. {@link RunCommand} does the same with
     * the library.
     */
    public static boolean isPlainRun(String... args) {
        return args.length == 2 && args[0].equals("run") && args[1].matches("[^-@].*");
    }

    private static int run(String file) throws InterruptedException {
        FileOutputStream stderr = new FileOutputStream(FileDescriptor.err);
        PrintWriter err = new PrintWriter(stderr, /* autoFlush= */ true, Charset.defaultCharset());
        return ServerProcess.runProcess(Path.of(file), /* watch= */ false, err);
    }

    /** Returns the command line, ready to execute. */
    public static CommandLine commandLine() {
        CommandLine command = new CommandLine(new Main()).setExecutionStrategy(new ArgumentOrder());
        CommandExamples.add(command);
        return command;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

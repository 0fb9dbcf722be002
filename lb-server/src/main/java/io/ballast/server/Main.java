package io.ballast.server;

import io.ballast.cli.ArgumentOrder;
import io.ballast.cli.CommandExamples;
import io.ballast.server.command.VersionCommand;
import io.ballast.server.command.WitnessCommand;
import io.ballast.server.host.JdkDefaults;
import io.ballast.server.host.NettyDefaults;
import io.ballast.server.process.ServerProcess;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line {@code lb}; each command of {@link Commands} is a class of its own. */
@Command(
        name = "lb",
        description = "A load balancer for HTTP and DNS in one process, over the same backends.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class)
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Runs the command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] args) throws InterruptedException {
        JdkDefaults.apply();
        NettyDefaults.apply();
        System.exit(isPlainRun(args) ? run(args[1]) : commandLineFor(args).execute(args));
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

    /** Returns the command line with all commands, ready to execute. */
    public static CommandLine commandLine() {
        return commandLine(Commands.all());
    }

    /**
     * Returns the command line for some arguments, ready to execute. The command line contains only the command that
     * the arguments name, because reading all commands takes half a second of CPU time. It contains all commands if the
     * arguments begin with an option, with an unknown command, or with {@code completion}.
     */
    static CommandLine commandLineFor(String... args) {
        return commandLine(args.length == 0 ? Commands.all() : Commands.named(args[0]));
    }

    private static CommandLine commandLine(Map<String, Class<?>> commands) {
        CommandLine command = new CommandLine(new Main());
        commands.forEach(command::addSubcommand);
        CommandLine cluster = command.getSubcommands().get("cluster");
        if (cluster != null) {
            cluster.addSubcommand(WitnessCommand.class); // lb-cli contains no command that runs a process
        }
        CommandExamples.add(command);
        return command.setExecutionStrategy(new ArgumentOrder());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

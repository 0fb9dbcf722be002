package io.ballast.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line {@code lb}; each subcommand is a class of its own. */
@Command(
        name = "lb",
        description = "An HTTP and a DNS load balancer in one process, over the same backends.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        subcommands = {RunCommand.class, DemoCommand.class, CheckCommand.class, VersionCommand.class})
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Runs the command and ends the process with its exit code: 0 done, 1 failed, 2 wrong usage. */
    public static void main(String[] args) {
        NettyDefaults.apply();
        System.exit(commandLine().execute(args));
    }

    /** Returns the command line, ready to execute. */
    static CommandLine commandLine() {
        return new CommandLine(new Main());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}

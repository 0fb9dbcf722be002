package io.ballast.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb completion}: prints a completion script for a shell. */
@Command(
        name = "completion",
        description =
                "Prints a completion script for bash, and for zsh with bashcompinit:" + " source <(lb completion)",
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash(root.getCommandName(), root));
        out.flush();
    }
}

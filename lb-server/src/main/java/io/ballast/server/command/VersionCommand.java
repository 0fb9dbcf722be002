package io.ballast.server.command;

import io.ballast.server.host.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb version}: prints the version and the commit of this build. */
@Command(name = "version", description = "Prints the version and its commit.")
public final class VersionCommand implements Runnable, IVersionProvider {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().println(BuildInfo.load());
    }

    @Override
    public String[] getVersion() {
        return new String[] {BuildInfo.load().toString()};
    }
}

package io.ballast.cli.dnssec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code lb dnssec}: shows and changes the keys of signed zones. The command works on the key files, whether or not a
 * running balancer uses them.
 */
@Command(
        name = "dnssec",
        description = "Shows and changes the keys of signed zones in the data directory of a configuration.",
        mixinStandardHelpOptions = true,
        subcommands = {DnssecDsCommand.class, DnssecStatusCommand.class, DnssecRolloverCommand.class})
public final class DnssecCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

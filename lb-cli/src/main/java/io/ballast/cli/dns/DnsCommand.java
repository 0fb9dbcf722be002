package io.ballast.cli.dns;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lb dns}: explains and tests DNS answers, and controls the filter and the cache of the forwarder. */
@Command(
        name = "dns",
        description = "Commands for DNS: explain and test answers, control the filter and the cache of the forwarder.",
        mixinStandardHelpOptions = true,
        subcommands = {
            DnsExplainCommand.class,
            DnsTestCommand.class,
            DnsFlushCommand.class,
            DnsPauseCommand.class,
            DnsResumeCommand.class,
            DnsAllowCommand.class,
            DnsBlockCommand.class,
            DnsForgetCommand.class,
            DnsAcceptCommand.class
        })
public final class DnsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }
}

package io.ballast.server.command.dns;

import picocli.CommandLine.Command;

/** {@code lb dns allow}: allows a name at once. */
@Command(
        name = "allow",
        description = "Allows a name with all below it at once, whatever lists say, and keeps that in data_dir."
                + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class DnsAllowCommand extends FilterNameCommand {

    DnsAllowCommand() {
        super("allow", "allowed");
    }
}

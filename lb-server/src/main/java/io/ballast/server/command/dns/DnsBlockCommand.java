package io.ballast.server.command.dns;

import picocli.CommandLine.Command;

/** {@code lb dns block}: blocks a name at once. */
@Command(
        name = "block",
        description = "Blocks a name with all below it at once, whatever lists say, and keeps that in data_dir."
                + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class DnsBlockCommand extends FilterNameCommand {

    DnsBlockCommand() {
        super("block", "blocked");
    }
}

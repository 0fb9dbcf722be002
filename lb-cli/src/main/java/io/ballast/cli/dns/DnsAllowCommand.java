package io.ballast.cli.dns;

import picocli.CommandLine.Command;

/** {@code lb dns allow}: allows a name immediately. */
@Command(
        name = "allow",
        description =
                "Allows a name and all names below it immediately, regardless of lists, and saves this in data_dir."
                        + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsAllowCommand extends FilterNameCommand {

    DnsAllowCommand() {
        super("allow", "allowed");
    }
}

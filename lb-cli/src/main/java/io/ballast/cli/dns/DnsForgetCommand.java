package io.ballast.cli.dns;

import picocli.CommandLine.Command;

/** {@code lb dns forget}: reverts {@code lb dns allow} or {@code lb dns block} for a name. */
@Command(
        name = "forget",
        description = "Reverts lb dns allow or lb dns block for a name."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsForgetCommand extends FilterNameCommand {

    DnsForgetCommand() {
        super("forget", "forgotten");
    }
}

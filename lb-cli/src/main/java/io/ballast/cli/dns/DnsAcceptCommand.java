package io.ballast.cli.dns;

import picocli.CommandLine.Command;

/** {@code lb dns accept}: accepts a rule list that has far fewer rules than before. */
@Command(
        name = "accept",
        description = "Downloads the rule list NAME now, and accepts it even if it has far fewer rules than before."
                + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsAcceptCommand extends FilterNameCommand {

    DnsAcceptCommand() {
        super("accept", "accepted");
    }
}

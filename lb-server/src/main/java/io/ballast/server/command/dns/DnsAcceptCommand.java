package io.ballast.server.command.dns;

import picocli.CommandLine.Command;

/** {@code lb dns accept}: takes a list that has shrunk. */
@Command(
        name = "accept",
        description =
                "Asks for a list of rules, given by its NAME, now, and takes it although it has far fewer rules than before."
                        + " Exit code 0: done; 2: refused; 1: no balancer answers.",
        mixinStandardHelpOptions = true)
final class DnsAcceptCommand extends FilterNameCommand {

    DnsAcceptCommand() {
        super("accept", "accepted");
    }
}

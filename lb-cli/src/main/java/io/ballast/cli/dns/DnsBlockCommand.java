package io.ballast.cli.dns;

import picocli.CommandLine.Command;

/** {@code lb dns block}: blocks a name immediately. */
@Command(
        name = "block",
        description =
                "Blocks a name and all names below it immediately, regardless of lists, and saves this in data_dir."
                        + " Exit code 0: done; 2: refused; 1: no balancer responds.",
        mixinStandardHelpOptions = true)
final class DnsBlockCommand extends FilterNameCommand {

    DnsBlockCommand() {
        super("block", "blocked");
    }
}

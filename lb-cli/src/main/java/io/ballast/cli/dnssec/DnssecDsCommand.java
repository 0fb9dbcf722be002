package io.ballast.cli.dnssec;

import io.ballast.dns.dnssec.key.ManagedKey;
import io.ballast.dns.dnssec.key.SigningKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lb dnssec ds}: prints the DS records that the parent zone must have. */
@Command(
        name = "ds",
        description = "Prints the DS records for the parent zone in the format of zone files.",
        mixinStandardHelpOptions = true)
final class DnssecDsCommand implements Callable<Integer> {

    @Mixin
    private ZoneSelection zone;

    @Override
    public Integer call() {
        return zone.run(DnssecDsCommand::print);
    }

    static void print(ZoneSelection.Keys keys, PrintWriter out) throws IOException {
        for (ManagedKey key : keys.published()) {
            out.println(record(keys, key.key()));
        }
    }

    static String record(ZoneSelection.Keys keys, SigningKey key) {
        return key.dsText(keys.zone(), keys.config().parentDsTtl().toSeconds());
    }
}

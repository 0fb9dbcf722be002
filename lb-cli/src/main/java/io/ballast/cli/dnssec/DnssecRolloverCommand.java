package io.ballast.cli.dnssec;

import io.ballast.dns.dnssec.key.ManagedKey;
import io.ballast.dns.dnssec.key.Rollover;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb dnssec rollover}: replaces a key by the next key, step by step. */
@Command(
        name = "rollover",
        description = {
            "Begins a key rollover: generates and publishes the next key. 'lb dnssec status' shows the next step and its time.",
            "A running balancer with this configuration applies it within seconds."
        },
        mixinStandardHelpOptions = true)
final class DnssecRolloverCommand implements Callable<Integer> {

    /** The options that continue or abort a rollover. */
    static final class Continuation {

        @Option(
                names = "--ds-published",
                description = "Confirm that all servers of the parent zone have the DS record of the new key.")
        private boolean dsPublished;

        @Option(names = "--step", description = "Take the next step: the new key signs, or the old key is removed.")
        private boolean step;
    }

    @Mixin
    private ZoneSelection zone;

    @ArgGroup
    private Continuation continuation = new Continuation();

    @Option(
            names = "--force",
            description =
                    "Do not wait until caches have expired the old records. Validation may fail meanwhile; use only for a"
                            + " compromised key.")
    private boolean force;

    @Override
    public Integer call() {
        return zone.run(this::advance);
    }

    private void advance(ZoneSelection.Keys keys, PrintWriter out) throws IOException {
        keys.all();
        keys.change(this::takeStep);
        DnssecStatusCommand.print(keys, out);
    }

    private void takeStep(Rollover rollover) throws IOException {
        if (continuation.dsPublished) {
            rollover.recordDsPublished();
        } else if (continuation.step) {
            Rollover.Step unused = rollover.advance(force);
        } else {
            ManagedKey unused = rollover.start();
        }
    }
}

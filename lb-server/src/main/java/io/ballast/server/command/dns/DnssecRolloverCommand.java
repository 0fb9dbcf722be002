package io.ballast.server.command.dns;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lb dnssec rollover}: from one key to the next, step by step. */
@Command(
        name = "rollover",
        description = {
            "Begins a rollover: makes the next key and publishes it. 'lb dnssec status' tells what comes then, and when.",
            "A balancer that runs with the configuration follows within seconds."
        },
        mixinStandardHelpOptions = true)
final class DnssecRolloverCommand implements Callable<Integer> {

    /** The options that continue or abort a rollover. */
    static final class Continuation {

        @Option(
                names = "--ds-published",
                description = "Note that all servers of the parent zone have the new key's DS.")
        private boolean dsPublished;

        @Option(names = "--step", description = "Take the next step: the new key signs, or the old key goes.")
        private boolean step;
    }

    @Mixin
    private ZoneSelection zone;

    @ArgGroup
    private Continuation then = new Continuation();

    @Option(
            names = "--force",
            description =
                    "Do not wait until caches have forgotten the old state. Validators may fail meanwhile; for a key"
                            + " that somebody stole.")
    private boolean force;

    @Override
    public Integer call() {
        return zone.run(this::advance);
    }

    private void advance(ZoneSelection.Keys keys, PrintWriter out) throws IOException {
        keys.all();
        if (then.dsPublished) {
            keys.rollover().dsPublished();
        } else if (then.step) {
            keys.rollover().advance(force);
        } else {
            keys.rollover().start();
        }
        DnssecStatusCommand.print(keys, out);
    }
}

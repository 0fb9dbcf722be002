package io.ballast.cli.dnssec;

import io.ballast.dns.dnssec.key.ManagedKey;
import io.ballast.dns.dnssec.key.Rollover;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lb dnssec status}: shows the keys of a zone, and the next step of a key rollover with its time. */
@Command(
        name = "status",
        description = "Lists the keys of a zone, and the next step of a rollover with its time.",
        mixinStandardHelpOptions = true)
final class DnssecStatusCommand implements Callable<Integer> {

    @Mixin
    private ZoneSelection zone;

    @Override
    public Integer call() {
        return zone.run(DnssecStatusCommand::print);
    }

    static void print(ZoneSelection.Keys keys, PrintWriter out) throws IOException {
        Instant now = Instant.now();
        out.printf("%-6s %-16s %-10s %s%n", "KEY", "ALGORITHM", "STATE", "FILE");
        for (ManagedKey key : keys.all()) {
            String algorithm = key.key().algorithm().toString();
            out.printf(
                    "%-6d %-16s %-10s %s%n",
                    key.key().tag(), algorithm, key.state(now).label(), key.file());
        }
        printNext(keys, out);
    }

    /** Describes the next step and its command. */
    static void printNext(ZoneSelection.Keys keys, PrintWriter out) throws IOException {
        Rollover.Next next = keys.rollover().next();
        String command = "lb dnssec rollover " + keys.file() + " " + keys.zone();
        ManagedKey key = next.key();
        if (key == null) {
            out.println("next: no action is required; to begin a rollover, run '" + command + "'");
            return;
        }
        int tag = key.key().tag();
        switch (next.step()) {
            case DS -> {
                out.println("next: add this record to the parent zone, keep the others, then run '" + command
                        + " --ds-published'");
                out.println(DnssecDsCommand.record(keys, key.key()));
            }
            case ACTIVATE ->
                out.println("next: key " + tag + " will sign after '" + command + " --step'" + formatDueTime(next));
            case REMOVE ->
                out.println("next: key " + tag + " is removed by '" + command + " --step'" + formatDueTime(next)
                        + "; its DS record can then be removed too");
            case START -> throw new IllegalStateException("starting a rollover does not refer to a key");
        }
    }

    private static String formatDueTime(Rollover.Next next) {
        Duration wait = next.remainingWait(Instant.now());
        return wait.isZero() ? ", now" : ", from " + next.from() + " on";
    }
}

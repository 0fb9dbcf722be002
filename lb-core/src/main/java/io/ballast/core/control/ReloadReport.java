package io.ballast.core.control;

import java.time.Duration;
import java.util.List;

/**
 * What became of a reload.
 *
 * @param outcome of the whole
 * @param changes what is different, a line each, in the order of the configuration; empty if nothing is
 * @param warnings what an operator should know, such as a key whose change needs a restart
 * @param errors why it was refused, each with its place; empty unless it was
 * @param published how long it took to put it in force, without reading and preparing it; zero if it was not
 */
public record ReloadReport(
        Outcome outcome, List<String> changes, List<String> warnings, List<String> errors, Duration published) {

    /** How a reload ended. */
    public enum Outcome {
        /** It is in force. */
        APPLIED("applied"),
        /** There is nothing to change. */
        UNCHANGED("unchanged"),
        /** It would be put in force, but only the difference was asked for. */
        DRY_RUN("dry_run"),
        /** It is at fault, or something that it needs cannot be had; what ran goes on. */
        REFUSED("refused");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public ReloadReport {
        changes = List.copyOf(changes);
        warnings = List.copyOf(warnings);
        errors = List.copyOf(errors);
    }
}

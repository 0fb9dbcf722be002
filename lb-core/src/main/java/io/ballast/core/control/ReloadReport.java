package io.ballast.core.control;

import java.time.Duration;
import java.util.List;

/**
 * The result of a reload.
 *
 * @param outcome the overall outcome
 * @param changes the differences, one line each, in the order of the configuration
 * @param warnings warnings, such as a changed setting that takes effect only after a restart
 * @param errors the errors, each with its position; empty unless the configuration was rejected
 * @param activationDuration the duration of the activation, without reading and preparing; zero if the
 *     configuration was not activated
 */
public record ReloadReport(
        Outcome outcome,
        List<String> changes,
        List<String> warnings,
        List<String> errors,
        Duration activationDuration) {

    /** How a reload ended. */
    public enum Outcome {
        /** The configuration is active. */
        APPLIED("applied"),
        /** There are no changes. */
        UNCHANGED("unchanged"),
        /** The configuration is valid; only the differences were requested. */
        DRY_RUN("dry_run"),
        /**
         * The configuration is invalid, or a required resource is not available; the previous configuration stays
         * active.
         */
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

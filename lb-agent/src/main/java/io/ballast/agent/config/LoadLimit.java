package io.ballast.agent.config;

import io.ballast.core.Checks;

/**
 * The limits of one measure of load.
 *
 * @param highPercent from this value on, the weight falls
 * @param lowPercent below this value, the weight rises again; at most {@code highPercent}
 */
public record LoadLimit(int highPercent, int lowPercent) {

    public LoadLimit {
        Checks.between(highPercent, 1, 100, "high");
        Checks.between(lowPercent, 0, highPercent, "low");
    }
}

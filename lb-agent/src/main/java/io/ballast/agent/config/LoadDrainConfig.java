package io.ballast.agent.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * The conditions under which the weight of a backend is reduced because of its load. At least one limit is set.
 *
 * @param cpu the limits of the CPU use of the container or the machine
 * @param memory the limits of the memory use of the container or the machine
 * @param errors the limits of the share of failed checks
 * @param hold how long a value must be high or low before the weight changes
 * @param bleed how long the weight takes to fall from 100 % to 10 %, or to rise again
 */
public record LoadDrainConfig(
        Optional<LoadLimit> cpu,
        Optional<LoadLimit> memory,
        Optional<LoadLimit> errors,
        Duration hold,
        Duration bleed) {

    public static final Duration DEFAULT_HOLD = Duration.ofSeconds(30);
    public static final Duration DEFAULT_BLEED = Duration.ofSeconds(60);

    private static final Duration LONGEST = Duration.ofHours(1);

    public LoadDrainConfig {
        Checks.that(
                cpu.isPresent() || memory.isPresent() || errors.isPresent(), "drain", "none", "cpu, memory or errors");
        Checks.that(!hold.isNegative() && hold.compareTo(LONGEST) <= 0, "hold", hold, "0s to 1h");
        Checks.that(!bleed.isNegative() && bleed.compareTo(LONGEST) <= 0, "bleed", bleed, "0s to 1h");
    }
}

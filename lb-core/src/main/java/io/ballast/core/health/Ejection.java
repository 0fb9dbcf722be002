package io.ballast.core.health;

import io.ballast.core.config.OutlierConfig;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The number of consecutive ejections of one backend, and the end of the current one. The object is reused
 * when the watch of the backend restarts.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class Ejection {

    private static final int MANY = 1_000_000;

    private int consecutiveEjections;
    private Instant until = Instant.MIN;
    private @Nullable Instant servingSince;

    /** Starts another ejection; returns its duration. */
    Duration begin(OutlierConfig config, Instant now) {
        if (servingSince != null && !now.isBefore(servingSince.plus(config.maxEjection()))) {
            consecutiveEjections = 0;
        }
        consecutiveEjections = Math.min(consecutiveEjections + 1, MANY);
        Duration time = config.ejection(consecutiveEjections);
        until = now.plus(time);
        return time;
    }

    /** Remaining time of the ejection; zero or less if the ejection has ended. */
    Duration remaining(Instant now) {
        return until.equals(Instant.MIN) ? Duration.ZERO : Duration.between(now, until);
    }

    /** Called when the backend gets requests again. */
    void end(Instant now) {
        until = Instant.MIN;
        servingSince = now;
    }
}

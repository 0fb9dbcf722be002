package io.ballast.discovery.names;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import java.time.Duration;
import java.util.List;

/**
 * Decides when the backends of one name switch to an address of the other family, IPv6 or IPv4. They switch as soon as
 * failed health checks or requests have made all of them unusable. If the backends still fail, they switch again after
 * {@value #FIRST_SECONDS} s. The wait then doubles up to {@value #MAX_SECONDS} s. Confined to the control plane; called
 * once per {@link #PERIOD}.
 */
final class FamilyFallback {

    /** Interval between two calls of {@link #isDue}. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    static final int FIRST_SECONDS = 10;
    static final int MAX_SECONDS = 300;

    private int remainingPeriods;
    private int nextWait = FIRST_SECONDS;

    /**
     * Returns whether the backends must switch to the other address family now. Call it once per {@link
     * #PERIOD}.
     */
    boolean isDue(List<Backend> backends) {
        if (!backends.stream().allMatch(FamilyFallback::hasFailed)) {
            remainingPeriods = 0;
            nextWait = FIRST_SECONDS;
            return false;
        }
        if (remainingPeriods > 0) {
            remainingPeriods--;
            return false;
        }
        remainingPeriods = nextWait - 1;
        nextWait = Math.min(2 * nextWait, MAX_SECONDS);
        return true;
    }

    private static boolean hasFailed(Backend backend) {
        HealthStatus health = backend.health();
        boolean isOut = health.state() == BackendState.DOWN || health.state() == BackendState.EJECTED;
        boolean isFound =
                health.origin() == HealthStatus.Origin.CHECK || health.origin() == HealthStatus.Origin.PASSIVE;
        return isOut && isFound && backend.isResolved();
    }
}

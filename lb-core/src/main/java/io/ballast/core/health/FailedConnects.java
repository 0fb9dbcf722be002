package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failed connections to a backend without health checks, at most one a minute. Without checks, the backend
 * could not recover, so it stays in use. Confined to the control plane.
 */
final class FailedConnects {

    private static final Logger LOG = LoggerFactory.getLogger(FailedConnects.class);
    private static final Duration BETWEEN_REPORTS = Duration.ofMinutes(1);

    private final ControlPlane control;
    private final Backend backend;
    private @Nullable Instant reported;

    FailedConnects(ControlPlane control, Backend backend) {
        this.control = control;
        this.backend = backend;
    }

    void report(String reason) {
        Instant now = control.clock().instant();
        Instant last = reported;
        if (last != null && now.isBefore(last.plus(BETWEEN_REPORTS))) {
            return;
        }
        reported = now;
        LOG.warn(
                "msg=\"connections to a backend without health checks fail; the backend stays in use\" backend={}"
                        + " reason=\"{}\"",
                backend,
                reason.replace('"', '\''));
        control.timeline()
                .add(
                        HealthStatus.Origin.PASSIVE,
                        backend.toString(),
                        "connections fail, but the backend stays in use: " + reason);
    }
}

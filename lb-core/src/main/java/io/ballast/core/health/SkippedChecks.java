package io.ballast.core.health;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports checks that could not run because of local problems, so that old results are not mistaken for new ones. The
 * first skipped check is reported immediately, also in the timeline; further skipped checks are reported together once
 * per minute.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class SkippedChecks {

    static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(SkippedChecks.class);

    private final ControlPlane control;
    private @Nullable ScheduledTask next;
    private long unreported;
    private String last = "";

    SkippedChecks(ControlPlane control) {
        this.control = control;
    }

    void recordSkipped(CheckTarget target, String reason) {
        last = target.address() + ": " + reason;
        if (next != null) {
            unreported++;
            return;
        }
        String text = "a check could not be run (" + last + "); until one runs, the previous result applies";
        LOG.warn("msg=\"{}\"", text);
        control.timeline().add(Origin.CHECK, "ballast", text);
        next = control.scheduleTask(this::reportSkipped, REPORT_INTERVAL);
    }

    private void reportSkipped() {
        next = null;
        if (unreported > 0) {
            LOG.warn("msg=\"health checks could not be run\" in_the_last_minute={} last=\"{}\"", unreported, last);
            unreported = 0;
            next = control.scheduleTask(this::reportSkipped, REPORT_INTERVAL);
        }
    }

    void stop() {
        ScheduledTask waiting = next;
        if (waiting != null) {
            waiting.cancel();
        }
    }
}

package io.ballast.server.event;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.policy.work.PolicyEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the changes of policies and adds them to the timeline, on the control plane's thread. */
public final class TimelinePolicyEvents implements PolicyEvents {

    private static final Logger LOG = LoggerFactory.getLogger(TimelinePolicyEvents.class);

    private final ControlPlane control;

    public TimelinePolicyEvents(ControlPlane control) {
        this.control = control;
    }

    @Override
    public void changed(String subject, boolean isProblem, String text) {
        control.execute(() -> add(subject, isProblem, text));
    }

    private void add(String subject, boolean isProblem, String text) {
        if (isProblem) {
            LOG.warn("subject={} msg=\"{}\"", subject, text);
        } else {
            LOG.info("subject={} msg=\"{}\"", subject, text);
        }
        control.timeline().add(Origin.PASSIVE, subject, text);
    }
}

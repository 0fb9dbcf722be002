package io.ballast.server.event;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.net.budget.TransitBudget;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in the timeline and in the log that connections were closed because the bytes in transit exceeded
 * their budget. Writes at most one record every {@value #INTERVAL_SECONDS} s, for any number of connections.
 * Runs on the control plane. Cost: two sums per run.
 */
public final class TransitWatch {

    private static final Logger LOG = LoggerFactory.getLogger(TransitWatch.class);
    private static final int INTERVAL_SECONDS = 5;
    private static final long MIB = 1024 * 1024;

    private final TransitBudget budget;
    private final ControlPlane control;
    private long reportedConnections;
    private long reportedBytes;

    private TransitWatch(TransitBudget budget, ControlPlane control) {
        this.budget = budget;
        this.control = control;
    }

    /** Starts to watch a budget, until the control plane ends. */
    public static void start(TransitBudget budget, ControlPlane control) {
        new TransitWatch(budget, control).scheduleCheck();
    }

    private void scheduleCheck() {
        control.schedule(this::checkBudget, Duration.ofSeconds(INTERVAL_SECONDS));
    }

    private void checkBudget() {
        long shed = budget.shedConnections() - reportedConnections;
        if (shed > 0) {
            long held = budget.shedBytes() - reportedBytes;
            reportedConnections += shed;
            reportedBytes += held;
            String text = String.format(
                    "closed the %,d connections with the least progress, which held %.1f MiB: bytes in transit"
                            + " exceeded the limit of %d MiB",
                    shed, (double) held / MIB, budget.limitBytes() / MIB);
            control.timeline().add(Origin.PASSIVE, "ballast", text);
            LOG.warn(
                    "msg=\"closed connections because the bytes in transit exceeded their budget\" closed={}"
                            + " held_bytes={} budget_bytes={}",
                    shed,
                    held,
                    budget.limitBytes());
        }
        scheduleCheck();
    }
}

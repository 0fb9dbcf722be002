package io.ballast.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.net.budget.TransitBudget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TransitWatchTest {

    private static final long MIB = 1024 * 1024;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final TransitBudget budget = new TransitBudget(128 * MIB, () -> 0);

    @Test
    void shedConnectionsAreReportedTogether() {
        TransitWatch.start(budget, control);
        budget.shed(MIB);
        budget.shed(MIB / 2);

        scheduler.advance(Duration.ofSeconds(5));
        scheduler.advance(Duration.ofSeconds(60));

        assertThat(control.timeline().recent())
                .extracting(Event::text)
                .containsExactly("closed the 2 connections with the least progress, which held 1.5 MiB:"
                        + " bytes in transit exceeded the limit of 128 MiB");
    }
}

package io.ballast.server.compose;

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
                .containsExactly("closed 2 connections that held 1.5 MiB and made the least progress:"
                        + " bytes in transit exceeded their limit of 128 MiB");
    }
}

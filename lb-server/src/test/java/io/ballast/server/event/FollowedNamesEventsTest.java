package io.ballast.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowedNamesEventsTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final FollowedNamesEvents events = new FollowedNamesEvents(control);

    @Test
    void timelineReportsFailureAndRecovery() {
        events.onFailing(List.of("a.example"), "no resolver answered in time");
        events.onRecovered(List.of("a.example", "b.example", "c.example", "d.example", "e.example"));
        scheduler.runDue();

        assertThat(control.timeline().recent())
                .extracting(event -> event.subject() + ": " + event.text())
                .containsExactly(
                        "followed name a.example: not answered: no resolver answered in time",
                        "followed names a.example, b.example, c.example and 2 more: answered again");
    }
}

package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeCertificateWatchTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final List<Instant> published = new ArrayList<>();
    private Instant end = scheduler.clock().instant().plus(Duration.ofDays(31));
    private final NodeCertificateWatch watch = new NodeCertificateWatch("n1", () -> end, published::add, control);

    private List<String> eventsAfter(Duration time) {
        scheduler.stepClock(time);
        watch.check();
        watch.check(); // gives no second warning
        scheduler.runDue();
        return control.timeline().recent().stream()
                .map(Event::text)
                .map(text -> text.replaceAll(", at .*| at 20.*", ""))
                .toList();
    }

    @Test
    void warnsOnceBeforeEachThreshold() {
        assertThat(eventsAfter(Duration.ZERO)).isEmpty();
        assertThat(eventsAfter(Duration.ofDays(2))).containsExactly("the certificate ends in 29 days");
        assertThat(eventsAfter(Duration.ofDays(10))).hasSize(1);
        assertThat(eventsAfter(Duration.ofDays(13))).contains("the certificate ends in 6 days");
        assertThat(eventsAfter(Duration.ofDays(6)))
                .contains("the certificate ended")
                .hasSize(3);
        assertThat(published).containsExactly(end);
    }

    @Test
    void newCertificateIsPublishedAndWarnedOfAgain() {
        eventsAfter(Duration.ofDays(25));
        end = end.plus(Duration.ofDays(365));
        assertThat(eventsAfter(Duration.ofDays(1))).containsExactly("the certificate ends in 6 days");

        assertThat(eventsAfter(Duration.ofDays(350))).hasSize(2);
        assertThat(published).hasSize(2);
    }

    @Test
    void lateStartGivesOneWarning() {
        assertThat(eventsAfter(Duration.ofDays(40))).containsExactly("the certificate ended");
    }
}

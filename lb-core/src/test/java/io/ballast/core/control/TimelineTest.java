package io.ballast.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Timeline timeline = new Timeline(scheduler.clock(), 3);

    @Test
    void eventsHaveNumberTimeOriginSubjectAndText() {
        Instant start = scheduler.clock().instant();
        timeline.add(Origin.CHECK, "web/10.0.0.1:80", "up: 200 OK");
        scheduler.advance(Duration.ofSeconds(5));
        timeline.add(Origin.OPERATOR, "ballast", "reloaded");

        assertThat(timeline.recent())
                .containsExactly(
                        new Event(1, start, Origin.CHECK, "web/10.0.0.1:80", "up: 200 OK"),
                        new Event(2, start.plusSeconds(5), Origin.OPERATOR, "ballast", "reloaded"));
    }

    @Test
    void dropsOldestEventsBeyondCapacity() {
        for (int i = 1; i <= 5; i++) {
            timeline.add(Origin.CHECK, "s", "event " + i);
        }

        assertThat(timeline.recent()).extracting(Event::text).containsExactly("event 3", "event 4", "event 5");
        assertThat(timeline.recent()).extracting(Event::id).containsExactly(3L, 4L, 5L);
    }

    @Test
    void listenersReceiveLaterEvents() {
        List<String> events = new ArrayList<>();
        timeline.add(Origin.CHECK, "s", "before");

        timeline.onEvent(event -> events.add(event.text()));
        timeline.add(Origin.CHECK, "s", "after");

        assertThat(events).containsExactly("after");
    }

    @Test
    void throwingListenerDoesNotStopOthers() {
        List<String> events = new ArrayList<>();
        timeline.onEvent(event -> {
            throw new IllegalStateException("expected in this test");
        });
        timeline.onEvent(event -> events.add(event.text()));

        timeline.add(Origin.CHECK, "s", "event");

        assertThat(events).containsExactly("event");
    }

    @Test
    void snapshotsAreImmutable() {
        List<Event> before = timeline.recent();

        timeline.add(Origin.CHECK, "s", "event");

        assertThat(before).isEmpty();
    }

    @Test
    void capacityIsAtLeastOne() {
        assertThatThrownBy(() -> new Timeline(scheduler.clock(), 0)).hasMessage("capacity: 0 (expected: >= 1)");
    }
}

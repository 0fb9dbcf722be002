package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSearchTest {

    @AutoClose
    private final DashboardFixture fixture;

    EventSearchTest() throws IOException {
        fixture = new DashboardFixture(3);
    }

    @BeforeEach
    void addEvents() throws InterruptedException {
        fixture.down(0, "connection refused");
        fixture.down(1, "timeout");
        fixture.control().timeline().add(Origin.OPERATOR, "web/127.0.0.1:9003", "draining");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 3",
        "?after=0, 3",
        "?after=2, 1",
        "?origin=check, 2",
        "?origin=operator, 1",
        "?contains=REFUSED, 1",
        "?contains=web/, 3",
        "?origin=check&contains=9002, 1",
        "?contains=nothing, 0"
    })
    void eventsMustMatchEveryParameter(String query, int events) throws Exception {
        JsonTree found = JsonTree.of(fixture.get("/api/v1/events" + query).body());

        assertThat(found.at("events").items()).hasSize(events);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?after=-1", "?after=x", "?origin=somebody"})
    void invalidParametersAreRejected(String query) throws Exception {
        assertThat(fixture.get("/api/v1/events" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void theWholeTimelineIsReturned() throws Exception {
        for (int i = 0; i < 600; i++) {
            fixture.control().timeline().add(Origin.CHECK, "web/127.0.0.1:" + i, "down: connection refused");
        }

        JsonTree found =
                JsonTree.of(fixture.get("/api/v1/events?contains=down:").body());

        assertThat(found.at("events").items()).hasSizeGreaterThanOrEqualTo(600);
    }
}

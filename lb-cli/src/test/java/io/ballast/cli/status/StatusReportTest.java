package io.ballast.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.api.ApiObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    private static final ApiObject EMPTY = new ApiObject(Map.of());
    private static final PolicyReport NO_POLICIES = new PolicyReport(EMPTY, /* isFull= */ false);

    @Test
    void timesOfEventsHaveNoFractionsOfASecond() {
        assertThat(eventLine("2026-11-25T22:56:24.123456789Z")).isEqualTo("2026-11-25T22:56:24Z  web is down");
    }

    @Test
    void unreadableTimeIsPrintedAsItIs() {
        assertThat(eventLine("yesterday")).isEqualTo("yesterday  web is down");
    }

    @Test
    void policiesHaveTheirState() {
        Map<String, Object> breaker = Map.of("name", "web", "kind", "circuit_breaker", "state", Map.of("open", 1));
        Map<String, Object> limit = Map.of(
                "name", "api", "kind", "concurrency", "state", Map.of("limit", 20, "in_flight", 3, "waiting", 1));
        Map<String, Object> rate = Map.of("name", "rate", "kind", "rate_limit", "state", Map.of());
        ApiObject stats = new ApiObject(Map.of("policies", List.of(breaker, limit, rate)));
        List<String> lines = new StatusReport(stats, EMPTY, EMPTY, NO_POLICIES).lines();

        assertThat(lines)
                .anySatisfy(line -> assertThat(line).startsWith("web").endsWith("open"))
                .anySatisfy(line -> assertThat(line).startsWith("api").endsWith("limit 20, 3 in flight, 1 waiting"))
                .anySatisfy(line -> assertThat(line).startsWith("rate").endsWith("-"));
    }

    private static String eventLine(String time) {
        Map<String, Object> event = Map.of("time", time, "subject", "web", "text", "is down");
        List<String> lines = report(event).lines();
        return lines.get(lines.size() - 1);
    }

    private static StatusReport report(Map<String, Object> event) {
        return new StatusReport(EMPTY, EMPTY, new ApiObject(Map.of("events", List.of(event))), NO_POLICIES);
    }
}

package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReportTest {

    @Test
    void timesOfEventsHaveNoFractionsOfASecond() {
        assertThat(eventLine("2026-11-25T22:56:24.123456789Z")).isEqualTo("2026-11-25T22:56:24Z  web is down");
    }

    @Test
    void unreadableTimeIsPrintedAsItIs() {
        assertThat(eventLine("yesterday")).isEqualTo("yesterday  web is down");
    }

    private static String eventLine(String time) {
        Map<String, Object> event = Map.of("time", time, "subject", "web", "text", "is down");
        List<String> lines = report(event).lines();
        return lines.get(lines.size() - 1);
    }

    private static StatusReport report(Map<String, Object> event) {
        return new StatusReport(Map.of(), Map.of(), Map.of("events", List.of(event)));
    }
}

package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTreeTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:30Z");

    private final DnsHistory history = new DnsHistory(() -> NOW);

    @Test
    void sharesUseMatchingTotals() {
        answer(Outcome.AUTHORITY, 5);
        answer(Outcome.HIT, 2);
        answer(Outcome.STALE, 1);
        answer(Outcome.MISS, 1);
        answer(Outcome.BLOCKED, 4);

        Map<String, Object> tree = tree();

        assertThat(tree)
                .containsEntry("queries", 13L)
                .containsEntry("sample", 2)
                .containsEntry("dropped", 3L);
        assertThat(tree).containsEntry("hit_share", 0.75).containsEntry("blocked_share", 0.5);
        assertThat(tree.get("lists")).isEqualTo(List.of(Map.of("name", "decider", "blocked", 4L)));
    }

    @Test
    void emptyHistoryHasNoShareAndNoTime() {
        Map<String, Object> tree = tree();

        assertThat(tree).containsEntry("hit_share", Double.NaN).containsEntry("blocked_share", Double.NaN);
        assertThat(tree.get("hits"))
                .isEqualTo(Map.of("mean_ms", Double.NaN, "p50_ms", Double.NaN, "p95_ms", Double.NaN));
    }

    @Test
    void seriesHavePointForEachStep() {
        answer(Outcome.MISS, 3);

        Map<?, ?> points = (Map<?, ?>) tree().get("points");

        assertThat(points.get("time"))
                .isEqualTo(List.of(Instant.parse("2026-03-01T10:00:00Z").toEpochMilli()));
        assertThat(points.get("miss")).isEqualTo(List.of(3L));
        assertThat(points.get("hit_p95_ms")).isEqualTo(List.of(Double.NaN));
    }

    private Map<String, Object> tree() {
        return HistoryTree.of(history.view(1), /* logged= */ true, /* sample= */ 2, /* dropped= */ 3);
    }

    private void answer(Outcome outcome, int times) {
        for (int i = 0; i < times; i++) {
            history.onAnswer(new AnsweredQuery(
                    NOW.toEpochMilli(), "", "udp", "a.example", "A", "NOERROR", outcome, "decider", 10, 64));
        }
    }
}

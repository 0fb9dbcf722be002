package io.ballast.dns.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.history.HistoryView.Counted;
import io.ballast.dns.history.HistoryView.Point;
import io.ballast.dns.querylog.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class DnsHistoryTest {

    private Instant now = Instant.parse("2026-03-01T10:00:30Z");
    private final DnsHistory history = new DnsHistory(() -> now);

    @Test
    void queriesBelongToTheirMinute() {
        query("a.example", Outcome.HIT);
        pass(Duration.ofMinutes(1));
        query("a.example", Outcome.HIT);
        query("b.example", Outcome.BLOCKED);

        HistoryView view = history.view(1);

        assertThat(view.since()).isEqualTo("2026-03-01T10:00:00Z");
        assertThat(view.step()).isEqualTo(Duration.ofMinutes(1));
        assertThat(view.points())
                .extracting(Point::begin)
                .map(Instant::toString)
                .containsExactly("2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z");
        assertThat(view.points())
                .extracting(point -> point.outcomes().get(Outcome.HIT))
                .containsExactly(1L, 1L);
        assertThat(view.outcomes()).containsEntry(Outcome.HIT, 2L).containsEntry(Outcome.BLOCKED, 1L);
        assertThat(view.queries()).isEqualTo(3);
        assertThat(view.names().items()).containsExactly(new Counted("a.example", 2), new Counted("b.example", 1));
        assertThat(view.blockedNames().items()).containsExactly(new Counted("b.example", 1));
    }

    @Test
    void hitAndMissTimesAreSeparate() {
        history.onAnswer(TestQueries.of(now, "", "a", Outcome.HIT, "", 20));
        history.onAnswer(TestQueries.of(now, "", "b", Outcome.MISS, "192.0.2.53:53", 20_000));
        history.onAnswer(TestQueries.of(now, "", "c", Outcome.FAILED, "", 2_000_000));
        history.onAnswer(TestQueries.answered(now, "SERVFAIL", "192.0.2.53:53"));
        history.onAnswer(TestQueries.answered(now, "NXDOMAIN", "192.0.2.53:53"));
        history.onAnswer(TestQueries.of(now, "", "d", Outcome.STALE, "", 1_800_000));
        history.onAnswer(TestQueries.of(now, "", "d", Outcome.STALE, "", 10));
        pass(Duration.ofMinutes(3));
        query("d", Outcome.REFUSED);

        HistoryView view = history.view(1);

        assertThat(view.outcomes()).containsEntry(Outcome.FAILED, 2L).containsEntry(Outcome.MISS, 2L);
        assertThat(view.hits().count()).isEqualTo(2);
        assertThat(view.hits().averageMillis()).isEqualTo(0.015);
        assertThat(view.misses().count()).isEqualTo(5);
        assertThat(view.misses().averageMillis())
                .as("failed queries count with their waiting time")
                .isEqualTo((3 * 20 + 2_000 + 1_800) / 5.0);
        history.clear();
        assertThat(history.hitTimes().count()).isEqualTo(2);
        assertThat(history.missTimes().count()).isEqualTo(5);
        assertThat(history.view(1).hits().count()).isZero();
        assertThat(view.clients().items()).containsExactly(new Counted("192.0.2.1", 1));
        assertThat(view.resolvers()).singleElement().satisfies(resolver -> {
            assertThat(resolver.name()).isEqualTo("192.0.2.53:53");
            assertThat(resolver.failures()).isEqualTo(1);
            assertThat(resolver.times().count()).isEqualTo(3);
        });
    }

    @Test
    void countsListsByName() {
        history.onAnswer(TestQueries.of(now, "", "a", Outcome.BLOCKED, "ads and more", 20));
        history.onAnswer(TestQueries.of(now, "", "b", Outcome.BLOCKED, "ads and more", 20));
        history.onAnswer(TestQueries.of(now, "", "c", Outcome.BLOCKED, "own", 20));

        assertThat(history.view(24).lists()).containsExactly(new Counted("ads and more", 2), new Counted("own", 1));
    }

    @Test
    void forgetsDataOlderThanOneDay() {
        query("old.example", Outcome.HIT);
        pass(Duration.ofHours(12));
        query("noon.example", Outcome.HIT);
        pass(Duration.ofHours(13));

        HistoryView view = history.view(24);

        assertThat(view.queries()).isEqualTo(1);
        assertThat(view.names().items()).containsExactly(new Counted("noon.example", 1));
        assertThat(view.points()).hasSizeBetween(288, 289);
        assertThat(view.since()).isEqualTo("2026-03-01T11:01:00Z");
        assertThat(history.view(6).queries()).isZero();
    }

    @Test
    void hasSameHoursOfPreviousWeek() {
        pass(Duration.ofHours(30));
        query("a.example", Outcome.BLOCKED);
        query("a.example", Outcome.HIT);
        pass(Duration.ofDays(6));
        assertThat(history.view(24).outcomesWeekBefore()).isEmpty();
        pass(Duration.ofDays(1));

        assertThat(history.view(1).outcomesWeekBefore())
                .hasValueSatisfying(before -> assertThat(before)
                        .containsEntry(Outcome.BLOCKED, 1L)
                        .containsEntry(Outcome.HIT, 1L)
                        .containsEntry(Outcome.MISS, 0L));
        assertThat(history.view(24).outcomesWeekBefore()).isPresent();
        pass(Duration.ofHours(1));
        assertThat(history.view(1).outcomesWeekBefore())
                .hasValueSatisfying(before -> assertThat(before).containsEntry(Outcome.HIT, 0L));
    }

    @Test
    void clearedHistoryIsEmpty() {
        query("old.example", Outcome.HIT);
        pass(Duration.ofHours(2));

        history.clear();

        assertThat(history.view(24).queries()).isZero();
        assertThat(history.view(24).names().items()).isEmpty();
        assertThat(history.view(24).since()).isEqualTo(now.truncatedTo(ChronoUnit.MINUTES));
    }

    @Test
    void clockSetBackLosesNoLaterData() {
        pass(Duration.ofDays(2));
        query("future.example", Outcome.HIT);
        now = now.minus(Duration.ofDays(2));
        query("now.example", Outcome.HIT);

        assertThat(history.view(24).names().items()).containsExactly(new Counted("now.example", 1));
    }

    @Test
    void namesClientsAndResolversAreBounded() {
        for (int i = 0; i < 50_000; i++) {
            history.onAnswer(TestQueries.of(now, "client-" + i, "name-" + i, Outcome.BLOCKED, "list-" + i, 10));
            history.onAnswer(TestQueries.of(now, "192.0.2.7", "often.example", Outcome.MISS, "resolver-" + i, 10));
        }

        HistoryView view = history.view(24);

        assertThat(view.names().items().get(0).name()).isEqualTo("often.example");
        assertThat(view.names().items().get(0).count())
                .isBetween(50_000 - view.names().error(), 50_000L);
        assertThat(view.names().error()).isBetween(1L, 2 * 100_000L / HourStats.COUNTERS_PER_KIND);
        assertThat(view.names().items()).hasSize(DnsHistory.MAX_LISTED);
        assertThat(view.lists()).hasSize(HourStats.MAX_NAMED + 1);
        assertThat(view.lists().get(0)).isEqualTo(new Counted(HourStats.OTHERS, 50_000 - HourStats.MAX_NAMED));
        assertThat(view.resolvers()).hasSize(HourStats.MAX_NAMED + 1);
    }

    @Test
    void rejectsMoreThanOneDay() {
        assertThatThrownBy(() -> history.view(25))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("hours: 25 (expected: 1 to 24)");
    }

    private void query(String name, Outcome outcome) {
        history.onAnswer(TestQueries.at(now, name, outcome));
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    @Test
    void emptyHistoryIsEmptyView() {
        HistoryView view = history.view(24);

        assertThat(view.queries()).isZero();
        assertThat(view.points()).hasSize(1);
        assertThat(view.names().items()).isEqualTo(List.of());
    }
}

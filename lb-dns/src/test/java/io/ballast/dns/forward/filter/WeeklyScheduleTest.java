package io.ballast.dns.forward.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.forward.DnsClientGroup.Period;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests periods in local time, across midnight and daylight saving changes. */
class WeeklyScheduleTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Set<DayOfWeek> WORKDAYS = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
    private static final Set<DayOfWeek> ALL = EnumSet.allOf(DayOfWeek.class);

    @Test
    void nightBelongsToItsFirstDay() {
        WeeklySchedule nights = schedule(period(WORKDAYS, "21:00", "07:00"));

        assertThat(nights.activePeriod(at("2024-01-05T20:59:59")))
                .as("a Friday")
                .isEqualTo(WeeklySchedule.NONE);
        assertThat(nights.activePeriod(at("2024-01-05T21:00:00"))).isZero();
        assertThat(nights.activePeriod(at("2024-01-06T06:59:59"))).isZero();
        assertThat(nights.activePeriod(at("2024-01-06T07:00:00"))).isEqualTo(WeeklySchedule.NONE);
        assertThat(nights.activePeriod(at("2024-01-06T22:00:00")))
                .as("a Saturday")
                .isEqualTo(WeeklySchedule.NONE);
        assertThat(nights.activePeriod(at("2024-01-08T03:00:00")))
                .as("after a Sunday")
                .isEqualTo(WeeklySchedule.NONE);
    }

    @Test
    void firstMatchingPeriodWins() {
        WeeklySchedule both = schedule(period(ALL, "12:00", "13:00"), period(ALL, "08:00", "18:00"));

        assertThat(both.activePeriod(at("2024-01-05T12:30:00"))).isZero();
        assertThat(both.activePeriod(at("2024-01-05T13:00:00"))).isEqualTo(1);
    }

    @Test
    void equalStartAndEndLastsOneDay() {
        WeeklySchedule sundays = schedule(period(Set.of(DayOfWeek.SUNDAY), "06:00", "06:00"));

        assertThat(sundays.activePeriod(at("2024-01-07T05:59:00"))).isEqualTo(WeeklySchedule.NONE);
        assertThat(sundays.activePeriod(at("2024-01-08T05:59:00"))).isZero();
        assertThat(sundays.activePeriod(at("2024-01-08T06:00:00"))).isEqualTo(WeeklySchedule.NONE);
    }

    @Test
    void clockChangesKeepLocalTime() {
        WeeklySchedule nights = schedule(period(ALL, "21:00", "07:00"));

        // Berlin changed from +1 to +2 at 02:00 on 31 March 2024, and back at 03:00 on 27 October.
        assertThat(nights.nextChange(Instant.parse("2024-03-30T20:30:00Z")))
                .isEqualTo(Instant.parse("2024-03-31T05:00:00Z"));
        assertThat(nights.nextChange(Instant.parse("2024-03-31T05:00:00Z")))
                .isEqualTo(Instant.parse("2024-03-31T19:00:00Z"));
        assertThat(nights.nextChange(Instant.parse("2024-10-26T19:30:00Z")))
                .isEqualTo(Instant.parse("2024-10-27T06:00:00Z"));
    }

    @Test
    void startInSkippedHourIsMovedAfterIt() {
        WeeklySchedule early = schedule(period(ALL, "02:30", "05:00"));

        assertThat(early.activePeriod(Instant.parse("2024-03-31T00:59:59Z"))).isEqualTo(WeeklySchedule.NONE);
        assertThat(early.activePeriod(Instant.parse("2024-03-31T01:30:00Z"))).isZero();
        assertThat(early.activePeriod(Instant.parse("2024-03-31T03:00:00Z"))).isEqualTo(WeeklySchedule.NONE);
    }

    @Test
    void reportsEveryChange() {
        WeeklySchedule some = schedule(
                period(WORKDAYS, "21:00", "07:00"),
                period(Set.of(DayOfWeek.SATURDAY), "02:15", "02:45"),
                period(Set.of(DayOfWeek.SUNDAY), "00:00", "00:00"));
        Instant now = Instant.parse("2024-03-01T00:00:00Z");
        Instant end = Instant.parse("2024-11-15T00:00:00Z");

        List<Instant> wrong = new ArrayList<>();
        Instant next = some.nextChange(now);
        for (int before = some.activePeriod(now); now.isBefore(end); now = now.plusSeconds(300)) {
            if (!now.isBefore(next)) {
                before = some.activePeriod(next);
                next = some.nextChange(next);
            }
            if (!now.isBefore(next) || some.activePeriod(now) != before) {
                wrong.add(now);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void emptyScheduleNeverChanges() {
        assertThat(schedule().nextChange(Instant.EPOCH)).isEqualTo(Instant.MAX);
        assertThat(schedule().activePeriod(Instant.EPOCH)).isEqualTo(WeeklySchedule.NONE);
    }

    private static WeeklySchedule schedule(Period... periods) {
        return new WeeklySchedule(BERLIN, List.of(periods));
    }

    private static Period period(Set<DayOfWeek> days, String from, String to) {
        return new Period(days, LocalTime.parse(from), LocalTime.parse(to), List.of());
    }

    private static Instant at(String local) {
        return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
    }
}

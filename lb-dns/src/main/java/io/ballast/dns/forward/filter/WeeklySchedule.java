package io.ballast.dns.forward.filter;

import io.ballast.dns.config.forward.DnsClientGroup.Period;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/**
 * Determines the active period of a weekly schedule in the local time of the configured time zone. If a period starts
 * in the hour that daylight saving time skips, it starts after that hour. If an hour occurs twice in autumn, the first
 * one counts.
 *
 * <p>Thread safety: immutable.
 */
final class WeeklySchedule {

    static final int NONE = -1;

    /** Number of days to look ahead: every period begins and ends within this number of days. */
    private static final int DAYS_AHEAD = 8;

    private final ZoneId zone;
    private final List<Period> periods;

    WeeklySchedule(ZoneId zone, List<Period> periods) {
        this.zone = zone;
        this.periods = List.copyOf(periods);
    }

    /** Returns the index of the first active period; {@link #NONE} if no period is active. */
    int activePeriod(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, zone);
        for (int i = 0; i < periods.size(); i++) {
            if (isActive(periods.get(i), today.minusDays(1), now) || isActive(periods.get(i), today, now)) {
                return i;
            }
        }
        return NONE;
    }

    private boolean isActive(Period period, LocalDate day, Instant now) {
        return period.days().contains(day.getDayOfWeek())
                && !now.isBefore(startOf(period, day))
                && now.isBefore(endOf(period, day));
    }

    /** Time of the next possible change; {@link Instant#MAX} if the schedule has no periods. */
    Instant nextChange(Instant now) {
        Instant next = Instant.MAX;
        LocalDate first = LocalDate.ofInstant(now, zone).minusDays(1);
        for (Period period : periods) {
            for (int i = 0; i <= DAYS_AHEAD; i++) {
                LocalDate day = first.plusDays(i);
                if (period.days().contains(day.getDayOfWeek())) {
                    next = earlierChange(next, startOf(period, day), now);
                    next = earlierChange(next, endOf(period, day), now);
                }
            }
        }
        return next;
    }

    private static Instant earlierChange(Instant current, Instant other, Instant now) {
        return other.isAfter(now) && other.isBefore(current) ? other : current;
    }

    private Instant startOf(Period period, LocalDate day) {
        return day.atTime(period.from()).atZone(zone).toInstant();
    }

    private Instant endOf(Period period, LocalDate day) {
        LocalDate last = period.to().isAfter(period.from()) ? day : day.plusDays(1);
        return last.atTime(period.to()).atZone(zone).toInstant();
    }
}

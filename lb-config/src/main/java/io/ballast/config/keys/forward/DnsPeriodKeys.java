package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.forward.DnsClientGroup.Period;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The keys of {@code dns.forward.groups[].filter.schedule[]}. */
final class DnsPeriodKeys {

    private static final String DAY = "(mon|tue|wed|thu|fri|sat|sun)";
    private static final int LETTERS = 3;

    /** One day, or several consecutive days; a range may wrap around the end of the week. */
    private static final Type<Set<DayOfWeek>> DAY_RANGE = Scalars.matching(
                    "day", "a day such as mon, or a range of days such as mon-fri", DAY + "(-" + DAY + ")?")
            .map(DnsPeriodKeys::days, days -> text(days.iterator().next()));

    private static final Type<LocalTime> TIME = Scalars.matching(
                    "time of day", "hours and minutes such as \"21:30\"", "([01][0-9]|2[0-3]):[0-5][0-9]|24:00")
            .map(text -> text.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(text), LocalTime::toString);

    private static final ShapeBuilder<Period> KEYS =
            Shape.named("dns_period", "A weekly period in which other lists apply to a group.");

    private static final Key<Set<DayOfWeek>> DAYS = KEYS.optional(
            "days",
            ListType.atLeastOne(DAY_RANGE)
                    .map(
                            DnsPeriodKeys::union,
                            days -> days.stream().sorted().map(Set::of).toList()),
            EnumSet.allOf(DayOfWeek.class),
            "days on which the period begins, such as [mon-fri, sun]; every day by default",
            Period::days);
    private static final Key<LocalTime> FROM = KEYS.required("from", TIME, "start time of the period", Period::from);
    private static final Key<LocalTime> TO =
            KEYS.required("to", TIME, "end time of the period; on the next day if not later than from", Period::to);
    private static final Key<List<String>> LISTS = KEYS.required(
            "lists",
            ListType.of(Scalars.TEXT).unique("list", name -> name),
            "lists that apply in the period instead of the group's lists; [] for none",
            Period::lists);

    static final Type<Period> PERIOD =
            KEYS.build(values -> new Period(values.get(DAYS), values.get(FROM), values.get(TO), values.get(LISTS)));

    private DnsPeriodKeys() {}

    private static Set<DayOfWeek> days(String text) {
        DayOfWeek first = day(text.substring(0, LETTERS));
        DayOfWeek last = day(text.substring(text.length() - LETTERS));
        Set<DayOfWeek> days = EnumSet.of(first);
        for (DayOfWeek day = first; day != last; day = day.plus(1)) {
            days.add(day.plus(1));
        }
        return days;
    }

    private static DayOfWeek day(String letters) {
        for (DayOfWeek day : DayOfWeek.values()) {
            if (text(day).equals(letters)) {
                return day;
            }
        }
        throw new IllegalArgumentException("day: " + letters + " (expected: a day such as mon)");
    }

    private static Set<DayOfWeek> union(List<Set<DayOfWeek>> some) {
        Set<DayOfWeek> all = EnumSet.noneOf(DayOfWeek.class);
        some.forEach(all::addAll);
        return all;
    }

    private static String text(DayOfWeek day) {
        return day.name().substring(0, LETTERS).toLowerCase(Locale.ROOT);
    }
}

package io.ballast.dns.history;

import io.ballast.core.Checks;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.history.HistoryView.Counted;
import io.ballast.dns.history.HistoryView.Point;
import io.ballast.dns.history.HistoryView.Resolver;
import io.ballast.dns.history.HistoryView.Top;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import io.ballast.dns.querylog.QueryListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the last {@value #MAX_HOURS} hours: outcomes per minute, and top names and clients per hour. Memory is
 * bounded even under a flood of distinct names or clients. The minutes need a few hundred kilobytes. Each hour has at
 * most {@value HourStats#COUNTERS_PER_KIND} names, blocked names and clients each, and at most {@value
 * HourStats#MAX_NAMED} lists and resolvers each.
 *
 * <p>It counts only the queries that it receives. The query log reports how many queries it dropped or sampled out.
 *
 * <p>Thread safety: any thread may call it; calls are synchronized.
 */
public final class DnsHistory implements QueryListener {

    public static final int MAX_HOURS = 24;

    /** Maximum number of items in a {@link Top}. */
    public static final int MAX_LISTED = 10;

    private static final long MINUTE_MILLIS = 60_000;
    private static final int MINUTES_OF_HOUR = 60;
    private static final int HOURS_OF_WEEK = 7 * 24;
    private static final String SERVFAIL = "SERVFAIL";
    private static final int MINUTES = MAX_HOURS * MINUTES_OF_HOUR;

    /**
     * Number of stored hours: one more than a view needs, because the first hour of a view is usually incomplete.
     */
    private static final int HOURS = MAX_HOURS + 1;

    /** Time span of each point in minutes, in views of more than one hour. */
    private static final int LONG_STEP_MINUTES = 5;

    private final InstantSource clock;
    private final ResponseTimes times = new ResponseTimes();
    private final HourlyOutcomes week = new HourlyOutcomes();
    private long startMinute;
    private final @Nullable MinuteStats[] minutes = new MinuteStats[MINUTES];
    private final @Nullable HourStats[] hours = new HourStats[HOURS];
    private @Nullable MinuteStats currentMinute;

    /** @param clock the clock for reading the history; the times of queries should come from the same clock */
    public DnsHistory(InstantSource clock) {
        this.clock = clock;
        this.startMinute = minuteOf(clock.millis());
    }

    private static long minuteOf(long epochMillis) {
        return Math.floorDiv(epochMillis, MINUTE_MILLIS);
    }

    @Override
    public synchronized void onAnswer(AnsweredQuery query) {
        times.record(query);
        long number = minuteOf(query.epochMillis());
        minute(number).add(query);
        long hour = Math.floorDiv(number, MINUTES_OF_HOUR);
        hour(hour).add(query);
        week.add(hour, outcome(query));
    }

    /** The outcome of a query; SERVFAIL from a resolver counts as a failure, cached or not. */
    static Outcome outcome(AnsweredQuery query) {
        boolean failed = SERVFAIL.equals(query.rcode()) && query.outcome() != Outcome.AUTHORITY;
        return failed ? Outcome.FAILED : query.outcome();
    }

    /** Discards all data; the statistics start now. */
    @Override
    public synchronized void clear() {
        Arrays.fill(minutes, null);
        Arrays.fill(hours, null);
        week.clear();
        currentMinute = null;
        startMinute = minuteOf(clock.millis());
    }

    private MinuteStats minute(long number) {
        int place = (int) Math.floorMod(number, (long) MINUTES);
        MinuteStats present = minutes[place];
        if (present != null && present.number() == number) {
            return present;
        }
        if (currentMinute != null) {
            currentMinute.end();
        }
        MinuteStats next = new MinuteStats(number);
        minutes[place] = next;
        currentMinute = next;
        return next;
    }

    private HourStats hour(long number) {
        int place = (int) Math.floorMod(number, (long) HOURS);
        HourStats present = hours[place];
        if (present != null && present.number() == number) {
            return present;
        }
        HourStats next = new HourStats(number);
        hours[place] = next;
        return next;
    }

    /**
     * Returns the statistics of the last hours. Takes some milliseconds.
     *
     * @param max number of hours, from 1 to {@value #MAX_HOURS}
     */
    public synchronized HistoryView view(int max) {
        Checks.that(max >= 1 && max <= MAX_HOURS, "hours", max, "1 to " + MAX_HOURS);
        long now = minuteOf(clock.millis());
        int step = max == 1 ? 1 : LONG_STEP_MINUTES;
        long first = Math.max(now - (long) max * MINUTES_OF_HOUR + 1, Math.min(startMinute, now));
        List<Point> points = new ArrayList<>();
        Sums all = new Sums();
        for (long from = first; from <= now; from = nextStep(from, step)) {
            Sums sums = new Sums();
            long end = Math.min(nextStep(from, step), now + 1);
            for (long number = from; number < end; number++) {
                sums.add(number);
            }
            points.add(new Point(instant(from), sums.outcomes, sums.hits.total(), sums.misses.total()));
            all.add(sums);
        }
        List<HourStats> hours =
                hoursBetween(Math.floorDiv(first, MINUTES_OF_HOUR), Math.floorDiv(now, MINUTES_OF_HOUR));
        return new HistoryView(
                instant(first),
                Duration.ofMinutes(step),
                all.outcomes,
                outcomesWeekBefore(now, max),
                all.hits.total(),
                all.misses.total(),
                List.copyOf(points),
                top(hours, HourStats::names),
                top(hours, HourStats::clients),
                top(hours, HourStats::blockedNames),
                lists(hours),
                resolvers(hours));
    }

    /** Cumulative response times of all cache hits since the process started; the counts never decrease. */
    public LatencySummary hitTimes() {
        return times.hits();
    }

    /**
     * Cumulative response times of queries that waited for a resolver, including failures. The counts never
     * decrease.
     */
    public LatencySummary missTimes() {
        return times.misses();
    }

    /**
     * Returns the outcomes of the same {@code max} hours one week earlier; empty if not all of these hours were
     * counted.
     */
    private Optional<Map<Outcome, Long>> outcomesWeekBefore(long now, int max) {
        long end = Math.floorDiv(now, MINUTES_OF_HOUR) - HOURS_OF_WEEK;
        long first = end - max + 1;
        return startMinute <= first * MINUTES_OF_HOUR ? Optional.of(week.between(first, end)) : Optional.empty();
    }

    private static Instant instant(long minute) {
        return Instant.ofEpochMilli(minute * MINUTE_MILLIS);
    }

    /**
     * Returns the start of the next step. Every step starts at a multiple of the step length, so the points of
     * a chart keep their times when the chart is read again later.
     */
    private static long nextStep(long minute, int step) {
        return (Math.floorDiv(minute, step) + 1) * step;
    }

    private List<HourStats> hoursBetween(long first, long end) {
        return Stream.of(hours)
                .filter(hour -> hour != null && hour.number() >= first && hour.number() <= end)
                .toList();
    }

    private static Top top(List<HourStats> hours, Function<HourStats, FrequentItems> which) {
        Map<String, Long> sums = new HashMap<>();
        hours.forEach(hour -> which.apply(hour).addTo(sums));
        long error =
                hours.stream().mapToLong(hour -> which.apply(hour).maxError()).sum();
        return new Top(sortByCount(sums).limit(MAX_LISTED).toList(), error);
    }

    private static Stream<Counted> sortByCount(Map<String, Long> sums) {
        return sums.entrySet().stream()
                .map(sum -> new Counted(sum.getKey(), sum.getValue()))
                .sorted(Comparator.comparingLong(Counted::count).reversed().thenComparing(Counted::name));
    }

    private static List<Counted> lists(List<HourStats> hours) {
        Map<String, Long> sums = new HashMap<>();
        hours.forEach(hour -> hour.lists().forEach((list, count) -> sums.merge(list, count[0], Long::sum)));
        return sortByCount(sums).toList();
    }

    private static List<Resolver> resolvers(List<HourStats> hours) {
        Map<String, Resolver> sums = new HashMap<>();
        hours.forEach(hour -> hour.resolvers()
                .forEach((name, resolver) -> sums.merge(
                        name,
                        new Resolver(name, resolver.failures(), LatencySummary.of(List.of(resolver.times()))),
                        (one, other) -> new Resolver(
                                name,
                                one.failures() + other.failures(),
                                one.times().plus(other.times())))));
        return sums.values().stream()
                .sorted(Comparator.comparingLong(
                                (Resolver resolver) -> resolver.times().count())
                        .reversed()
                        .thenComparing(Resolver::name))
                .toList();
    }

    /** Sums of the statistics of several minutes. */
    private final class Sums {

        private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        private final LatencySummary.Sum hits = new LatencySummary.Sum();
        private final LatencySummary.Sum misses = new LatencySummary.Sum();

        Sums() {
            for (Outcome outcome : Outcome.values()) {
                outcomes.put(outcome, 0L);
            }
        }

        void add(long number) {
            MinuteStats minute = minutes[(int) Math.floorMod(number, (long) MINUTES)];
            if (minute != null && minute.number() == number) {
                outcomes.replaceAll((outcome, sum) -> sum + minute.count(outcome));
                hits.add(minute.hits());
                misses.add(minute.misses());
            }
        }

        void add(Sums other) {
            outcomes.replaceAll((outcome, sum) -> sum + other.outcomes.getOrDefault(outcome, 0L));
            hits.add(other.hits.total());
            misses.add(other.misses.total());
        }
    }
}

package io.ballast.dns.history;

import io.ballast.dns.querylog.Outcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts outcomes per hour for the last {@value #HOURS} hours, for a comparison with the previous week. Guarded by the
 * lock of its {@link DnsHistory}.
 */
final class HourlyOutcomes {

    /** Number of hours that are kept: a week and a day. */
    private static final int HOURS = 8 * 24;

    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final long NONE = Long.MIN_VALUE;

    private final long[] numbers = new long[HOURS];
    private final long[][] counts = new long[HOURS][OUTCOMES.length];

    HourlyOutcomes() {
        clear();
    }

    /** @param hour number of the hour since the epoch */
    void add(long hour, Outcome outcome) {
        int place = (int) Math.floorMod(hour, (long) HOURS);
        if (numbers[place] != hour) {
            numbers[place] = hour;
            Arrays.fill(counts[place], 0);
        }
        counts[place][outcome.ordinal()]++;
    }

    /**
     * Returns the sum of each outcome from hour {@code first} to hour {@code last}, both inclusive; hours without
     * queries count as zero.
     */
    Map<Outcome, Long> between(long first, long last) {
        Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
        for (Outcome outcome : OUTCOMES) {
            long sum = 0;
            for (int place = 0; place < HOURS; place++) {
                boolean fits = numbers[place] >= first && numbers[place] <= last;
                sum += fits ? counts[place][outcome.ordinal()] : 0;
            }
            sums.put(outcome, sum);
        }
        return sums;
    }

    void clear() {
        Arrays.fill(numbers, NONE);
    }
}

package io.ballast.dns.history;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts what comes often among any number of different items, with room for {@code capacity} of them: the algorithm of
 * Misra and Gries as in <a href="https://arxiv.org/abs/1705.07001">Anderson et al. 2017</a>.
 *
 * <p>What is counted of an item is never more than how often it came, and at most {@link #error} less; an item that is missing
 * came at most that often. The error is at most {@code 2 / capacity} of all that came, and 0 as long as all had room.
 *
 * <p>Thread safety: confined to one thread. Cost: one look-up; when an unknown item finds no room, the median of all counts is
 * taken from every one, which makes room for at least half as many, so that it costs a constant per item in the long run.
 */
final class FrequentItems {

    private final int capacity;
    private final Map<String, Count> counts = new HashMap<>();
    private long error;

    /** So that counting what is known allocates nothing. */
    private static final class Count {
        private long value = 1;
    }

    FrequentItems(int capacity) {
        this.capacity = capacity;
    }

    void add(String item) {
        Count known = counts.get(item);
        if (known != null) {
            known.value++;
            return;
        }
        if (counts.size() >= capacity) {
            makeRoom();
        }
        counts.put(item, new Count());
    }

    private void makeRoom() {
        long[] values = new long[counts.size()];
        int next = 0;
        for (Count count : counts.values()) {
            values[next++] = count.value;
        }
        Arrays.sort(values);
        long median = values[values.length / 2];
        counts.values().removeIf(count -> {
            count.value -= median;
            return count.value <= 0;
        });
        error += median;
    }

    /** How much less than it came an item may be counted. */
    long error() {
        return error;
    }

    int size() {
        return counts.size();
    }

    /** Adds what is counted here to {@code sums}. */
    void addTo(Map<String, Long> sums) {
        counts.forEach((item, count) -> sums.merge(item, count.value, Long::sum));
    }
}

package io.ballast.dns.history;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts frequent items among any number of distinct items, with at most {@code capacity} counters: the
 * Misra-Gries algorithm as in <a href="https://arxiv.org/abs/1705.07001">Anderson et al. 2017</a>.
 *
 * <p>The count of an item never exceeds its true frequency, and is at most {@link #maxError} below it. An
 * item without a counter occurred at most that often. The error is at most {@code 2 / capacity} of all
 * occurrences, and 0 as long as there is a counter for every item.
 *
 * <p>Thread safety: confined to one thread. Cost: one lookup. If no counter is free for a new item, the
 * median count is subtracted from every count, which frees at least half of the counters; the amortized cost
 * per item is constant.
 */
final class FrequentItems {

    private final int capacity;
    private final Map<String, Count> counts = new HashMap<>();
    private long maxError;

    /** A mutable counter, so that counting a known item allocates nothing. */
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
            evictRareItems();
        }
        counts.put(item, new Count());
    }

    private void evictRareItems() {
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
        maxError += median;
    }

    /** The maximum undercount of an item. */
    long maxError() {
        return maxError;
    }

    int size() {
        return counts.size();
    }

    /** Adds the counts to {@code sums}. */
    void addTo(Map<String, Long> sums) {
        counts.forEach((item, count) -> sums.merge(item, count.value, Long::sum));
    }
}

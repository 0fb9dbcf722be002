package io.ballast.dns.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrequentItemsTest {

    @Test
    void countsAreExactBelowCapacity() {
        FrequentItems items = new FrequentItems(3);

        for (String item : new String[] {"a", "b", "a", "c", "a"}) {
            items.add(item);
        }

        assertThat(counts(items)).isEqualTo(Map.of("a", 3L, "b", 1L, "c", 1L));
        assertThat(items.maxError()).isZero();
    }

    @Test
    void floodKeepsFrequentItems() {
        FrequentItems items = new FrequentItems(64);
        SplittableRandom random = new SplittableRandom(1);
        long frequent = 0;

        int all = 100_000;
        for (int i = 0; i < all; i++) {
            if (random.nextInt(5) == 0) {
                items.add("frequent");
                frequent++;
            } else {
                items.add("once-" + i);
            }
            assertThat(items.size()).isLessThanOrEqualTo(64);
        }

        assertThat(items.maxError()).isPositive().isLessThanOrEqualTo(2 * all / 64);
        assertThat(counts(items).get("frequent")).isBetween(frequent - items.maxError(), frequent);
    }

    private static Map<String, Long> counts(FrequentItems items) {
        Map<String, Long> counts = new HashMap<>();
        items.addTo(counts);
        return counts;
    }
}

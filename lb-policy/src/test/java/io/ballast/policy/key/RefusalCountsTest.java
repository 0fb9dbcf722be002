package io.ballast.policy.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.key.RefusedKeys.RefusedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RefusalCountsTest {

    private final SplittableRandom random = new SplittableRandom(7);
    private final RefusalCounts counts = new RefusalCounts(/* start= */ 0);
    private int texts;

    private void refuse(long key) {
        if (!counts.increment(key)) {
            int place = counts.placeForNewKey(random);
            if (place != RefusalCounts.NONE) {
                texts++;
                counts.replace(place, key, "key " + key);
            }
        }
    }

    private List<RefusedKey> sorted() {
        List<RefusedKey> found = new ArrayList<>();
        counts.forEach(found::add);
        found.sort(Comparator.comparingLong(RefusedKey::refused).reversed());
        return found;
    }

    @Test
    void countsAreExactForFewKeys() {
        for (int key = 1; key <= RefusalCounts.MAX_KEYS; key++) {
            for (int i = 0; i < key; i++) {
                refuse(key);
            }
        }

        List<RefusedKey> found = sorted();
        assertThat(found).hasSize(RefusalCounts.MAX_KEYS);
        assertThat(found.get(0)).isEqualTo(new RefusedKey(64, "key 64", 64));
        assertThat(found.get(63)).isEqualTo(new RefusedKey(1, "key 1", 1));
    }

    @Test
    void heavyKeysStayDuringAFloodOfOtherKeys() {
        for (int i = 0; i < 1_000_000; i++) {
            boolean isHeavy = random.nextInt(100) == 0;
            refuse(isHeavy ? 1 + random.nextInt(5) : random.nextLong());
        }

        List<RefusedKey> found = sorted();
        assertThat(found).hasSize(RefusalCounts.MAX_KEYS);
        assertThat(found.subList(0, 5)).extracting(RefusedKey::key).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
        assertThat(found.subList(0, 5))
                .allSatisfy(key -> assertThat(key.refused()).isBetween(1500L, 2500L));
        assertThat(texts).as("keys that were described").isLessThan(20_000);
    }
}

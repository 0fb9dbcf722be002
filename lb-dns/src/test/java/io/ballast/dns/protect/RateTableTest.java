package io.ballast.dns.protect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateTableTest {

    private static final long SET = 0x1000;

    private final RateTable table = new RateTable(/* decayPerSecond= */ 0.5);

    @Test
    void findsLoadByKey() {
        put(key(7), 100, 1000);

        assertThat(load(key(7), 100)).isEqualTo(1000);
        assertThat(load(key(8), 100)).isZero();
    }

    @Test
    void loadDecaysExponentially() {
        put(key(7), 100, 1_000_000);
        int second = RateTable.tick(1_000_000_000L);

        assertThat(load(key(7), 100 + second)).isBetween(606_000L, 612_000L);
        assertThat(load(key(7), 100 + 20 * second)).isBetween(44L, 52L);
        assertThat(load(key(7), 100 + 4000 * second)).isZero();
    }

    @Test
    void ticksWrap() {
        int last = RateTable.tick(-1);
        assertThat(RateTable.tick((last + 1L) << 24)).isZero();
        put(key(7), last, 1_000_000);

        assertThat(load(key(7), 0)).isBetween(990_000L, 999_999L);
    }

    @Test
    void newKeyReplacesLowestLoad() {
        for (int i = 1; i <= 8; i++) {
            put(key(i), 100, 1000L * (1 + (i + 3) % 8));
        }
        put(key(9), 100, 5);

        assertThat(load(key(5), 100)).as("the least loaded").isZero();
        for (int i : new int[] {1, 2, 3, 4, 6, 7, 8, 9}) {
            assertThat(load(key(i), 100)).as("key %s", i).isPositive();
        }
    }

    @Test
    void oldLoadIsBelowSmallCurrentLoad() {
        put(key(8), 100, RateTable.CAPACITY);
        for (int i = 1; i <= 7; i++) {
            put(key(i), 4000, 10);
        }
        put(key(9), 4000, 10);

        assertThat(load(key(8), 4000)).isZero();
        assertThat(load(key(1), 4000)).isEqualTo(10);
    }

    @Test
    void earlierClockReadsCurrentLoad() {
        put(key(8), 0, 1_000_000);
        put(key(7), 100, 1_000_000);

        assertThat(load(key(7), 99)).isEqualTo(1_000_000);
        assertThat(load(key(7), 40)).isEqualTo(1_000_000);
        assertThat(load(key(8), RateTable.tick(-1))).isEqualTo(1_000_000);
    }

    @Test
    void maximumLoadKeepsTickAndTag() {
        put(key(0xffff), 0x3ffff, RateTable.CAPACITY);

        assertThat(load(key(0xffff), 0x3ffff)).isEqualTo(RateTable.CAPACITY);
    }

    /** Returns a key that belongs to the same set as all other keys of this test. */
    private static long key(long tag) {
        return tag << 48 | SET;
    }

    private void put(long key, int tick, long load) {
        table.set(table.find(key, tick), key, tick, load);
    }

    private long load(long key, int tick) {
        return table.load(table.find(key, tick), key, tick);
    }
}

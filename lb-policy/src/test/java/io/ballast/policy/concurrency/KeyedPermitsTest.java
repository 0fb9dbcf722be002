package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.table.TopKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class KeyedPermitsTest {

    private static final long KEY = 0x1234_5678_9abc_def0L;

    @Test
    void admitsAsManyRequestsAsTheLimit() {
        KeyedPermits permits = new KeyedPermits(/* limit= */ 2, /* keys= */ 100);

        assertThat(permits.tryAcquire(KEY)).isTrue();
        assertThat(permits.tryAcquire(KEY)).isTrue();
        assertThat(permits.tryAcquire(KEY)).isFalse();
        assertThat(permits.tryAcquire(KEY + (1L << 32))).isTrue();

        permits.release(KEY);
        assertThat(permits.tryAcquire(KEY)).isTrue();
    }

    @Test
    void keyIsFreeWhenItsLastRequestEnds() {
        KeyedPermits permits = new KeyedPermits(/* limit= */ 5, /* keys= */ 1000);
        long[] keys = new SplittableRandom(1).longs(1000).toArray();
        for (int round = 0; round < 3; round++) {
            for (long key : keys) {
                assertThat(permits.tryAcquire(key)).isTrue();
            }
            assertThat(permits.size()).isEqualTo(1000);
            for (long key : keys) {
                permits.release(key);
            }
            assertThat(permits.size()).isZero();
        }
    }

    @Test
    void busiestKeysAreFoundAgain() {
        KeyedPermits permits = new KeyedPermits(/* limit= */ 5, /* keys= */ 10_000);
        long[] keys = new SplittableRandom(3).longs(2000).toArray();
        for (long key : keys) {
            permits.tryAcquire(key);
        }
        permits.tryAcquire(keys[7]);
        permits.tryAcquire(keys[1999]);
        TopKeys busiest = new TopKeys(2);
        permits.findBusiest(busiest);

        assertThat(Arrays.stream(busiest.keys()).map(permits::inFlight)).containsExactly(2L, 2L);
        assertThat(permits.inFlight(keys[7])).isEqualTo(2);
        assertThat(permits.inFlight(keys[8])).isEqualTo(1);
        assertThat(permits.inFlight(42)).isZero();
    }

    @Test
    void tableIsBounded() {
        KeyedPermits permits = new KeyedPermits(/* limit= */ 5, /* keys= */ 1);
        SplittableRandom random = new SplittableRandom(2);
        int admitted = 0;
        long last = 0;
        for (int i = 0; i < 10_000; i++) {
            last = random.nextLong();
            admitted += permits.tryAcquire(last) ? 1 : 0;
        }

        assertThat(admitted).isEqualTo(permits.size()).isLessThanOrEqualTo(32);
        assertThat(permits.isFullFor(last)).isTrue();
    }

    @Test
    void concurrentThreadsLoseNoCount() throws Exception {
        KeyedPermits permits = new KeyedPermits(/* limit= */ 3, /* keys= */ 8);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int seed = 0; seed < 4; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                tasks.add(() -> acquireAndRelease(permits, random));
            }
            int admitted = 0;
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                admitted += task.get();
            }
            assertThat(admitted).isPositive();
        } finally {
            threads.shutdownNow();
        }
        assertThat(permits.size()).isZero();
    }

    /** Acquires and releases permits of a few keys in one set; returns how many it got. */
    private static int acquireAndRelease(KeyedPermits permits, SplittableRandom random) {
        int admitted = 0;
        long[] held = new long[4];
        for (int i = 0; i < 100_000; i++) {
            int slot = random.nextInt(held.length);
            if (held[slot] != 0) {
                permits.release(held[slot]);
                held[slot] = 0;
            } else {
                long key = (random.nextInt(6) + 1L) << 32;
                if (permits.tryAcquire(key)) {
                    held[slot] = key;
                    admitted++;
                }
            }
        }
        for (long key : held) {
            if (key != 0) {
                permits.release(key);
            }
        }
        return admitted;
    }
}

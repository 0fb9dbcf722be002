package io.ballast.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CountersTest {

    private enum Name {
        FIRST,
        SECOND,
        LAST
    }

    @Test
    void countsNamesSeparately() {
        Counters<Name> counters = new Counters<>(Name.class, 2);

        counters.shard(0).increment(Name.FIRST);
        counters.shard(0).add(Name.LAST, 5);

        assertThat(counters.sum(Name.FIRST)).isEqualTo(1);
        assertThat(counters.sum(Name.SECOND)).isZero();
        assertThat(counters.sum(Name.LAST)).isEqualTo(5);
    }

    @Test
    void sumsAllShards() {
        Counters<Name> counters = new Counters<>(Name.class, 3);

        counters.shard(0).add(Name.SECOND, 1);
        counters.shard(1).add(Name.SECOND, 10);
        counters.shard(2).add(Name.SECOND, 100);

        assertThat(counters.sum(Name.SECOND)).isEqualTo(111);
        assertThat(counters.shard(1).get(Name.SECOND)).isEqualTo(10);
    }

    @Test
    void hasAtLeastOneShard() {
        assertThatThrownBy(() -> new Counters<>(Name.class, 0)).hasMessage("shards: 0 (expected: >= 1)");
    }

    @Test
    @Timeout(20)
    void concurrentSumsNeverShrink() throws InterruptedException {
        int writers = 3;
        int increments = 200_000;
        Counters<Name> counters = new Counters<>(Name.class, writers);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            Counters.Shard<Name> shard = counters.shard(i);
            threads.add(new Thread(() -> {
                for (int n = 0; n < increments; n++) {
                    shard.increment(Name.SECOND);
                }
            }));
        }

        threads.forEach(Thread::start);
        long seen = 0;
        while (seen < (long) writers * increments) {
            long sum = counters.sum(Name.SECOND);
            assertThat(sum).isBetween(seen, (long) writers * increments);
            seen = sum;
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(counters.sum(Name.FIRST)).isZero();
        assertThat(counters.sum(Name.LAST)).isZero();
    }
}

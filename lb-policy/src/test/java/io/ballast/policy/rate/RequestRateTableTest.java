package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RequestRateTableTest {

    private static final long START = -5_000_000_000L; // System.nanoTime may be negative
    private static final long SECOND = 1_000_000_000L;
    private static final long KEY = 0x1234_5678_9abc_def0L;

    private static RequestRateTable table(int keys, Rate... rates) {
        List<RateWindow> windows = new ArrayList<>();
        for (Rate rate : rates) {
            windows.add(RateWindow.of(rate));
        }
        return new RequestRateTable(windows, keys, /* allowsWhenFull= */ false, START);
    }

    private static int admitted(RequestRateTable table, long key, int requests, long now) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            if (table.charge(key, now) == RequestRateTable.CONFORMS) {
                admitted++;
            }
        }
        return admitted;
    }

    @Test
    void admitsBurstThenRate() {
        RequestRateTable table = table(100, new Rate(10, Duration.ofSeconds(1), 20));

        assertThat(admitted(table, KEY, 100, START)).isEqualTo(20);
        assertThat(admitted(table, KEY, 100, START + SECOND)).isEqualTo(10);
        assertThat(admitted(table, KEY, 100, START + 10 * SECOND)).isEqualTo(20);
    }

    @Test
    void returnsTimeUntilNextRequestConforms() {
        RequestRateTable table = table(100, new Rate(10, Duration.ofSeconds(1), 1));
        table.charge(KEY, START);

        long wait = table.charge(KEY, START);

        assertThat(wait).isEqualTo(SECOND / 10);
        assertThat(table.charge(KEY, START + wait - 1)).isEqualTo(1);
        assertThat(table.charge(KEY, START + wait)).isEqualTo(RequestRateTable.CONFORMS);
    }

    @Test
    void requestThatExceedsOneRateIsChargedToNone() {
        RequestRateTable table = table(100, new Rate(5, Duration.ofSeconds(1), 5), new Rate(8, Duration.ofHours(1), 8));
        assertThat(admitted(table, KEY, 100, START)).isEqualTo(5);
        assertThat(admitted(table, KEY, 100, START + SECOND)).isEqualTo(3);

        // Requests that the second rate refused are not charged to the first rate, which still permits two requests.
        assertThat(table.charge(KEY, START + SECOND)).isGreaterThan(60 * SECOND);
        assertThat(table.charge(KEY, START + 451 * SECOND)).isEqualTo(RequestRateTable.CONFORMS);
    }

    @Test
    void checkChargesNothing() {
        RequestRateTable table = table(100, new Rate(1, Duration.ofSeconds(1), 1));

        assertThat(table.check(KEY, START)).isEqualTo(RequestRateTable.CONFORMS);
        assertThat(table.check(KEY, START)).isEqualTo(RequestRateTable.CONFORMS);
        table.charge(KEY, START);
        assertThat(table.check(KEY, START)).isEqualTo(SECOND);
    }

    @Test
    void holdsMaximumNumberOfKeys() {
        RequestRateTable table = table(100_000, new Rate(1, Duration.ofHours(1), 1));
        SplittableRandom random = new SplittableRandom(1);
        long[] keys = random.longs(100_000).toArray();
        for (long key : keys) {
            table.charge(key, START);
        }

        int forgotten = 0;
        for (long key : keys) {
            if (table.check(key, START) == RequestRateTable.CONFORMS) {
                forgotten++;
            }
        }
        assertThat(forgotten).isLessThan(100); // one in a thousand
    }

    @Test
    void recoveredKeyIsReplaced() {
        RequestRateTable table = table(1, new Rate(1, Duration.ofSeconds(1), 1));
        SplittableRandom random = new SplittableRandom(2);
        long refused = random.longs(1_000)
                .filter(key -> table.charge(key, START) != RequestRateTable.CONFORMS)
                .count();
        assertThat(refused).isGreaterThan(900); // the table is full

        assertThat(table.charge(KEY, START + 2 * SECOND)).isEqualTo(RequestRateTable.CONFORMS);
    }

    @Test
    void fullTableAllowsIfConfigured() {
        RequestRateTable table = new RequestRateTable(
                List.of(RateWindow.of(new Rate(1, Duration.ofSeconds(1), 1))), 1, /* allowsWhenFull= */ true, START);

        new SplittableRandom(2)
                .longs(1_000)
                .forEach(key -> assertThat(table.charge(key, START)).isEqualTo(RequestRateTable.CONFORMS));
    }

    @Test
    void threadsShareOneLimit() throws Exception {
        RequestRateTable table = table(1_000, new Rate(1_000, Duration.ofHours(1), 1_000));
        AtomicInteger admitted = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(() -> admitted.addAndGet(admitted(table, KEY, 5_000, START))));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(admitted).hasValue(1_000);
    }

    @Test
    void requestMayReserveALaterTime() {
        RequestRateTable table = table(10, new Rate(1, Duration.ofSeconds(1), 1));

        assertThat(table.charge(KEY, START, 2 * SECOND)).isZero();
        assertThat(table.charge(KEY, START, 2 * SECOND)).isEqualTo(SECOND);
        assertThat(table.charge(KEY, START, 2 * SECOND)).isEqualTo(2 * SECOND);
        assertThat(table.charge(KEY, START, 2 * SECOND)).isEqualTo(3 * SECOND); // too late, so it is not charged
        assertThat(table.backlog(KEY, 0, START)).isEqualTo(3 * SECOND);
        assertThat(table.charge(KEY, START + 3 * SECOND)).isZero();
    }
}

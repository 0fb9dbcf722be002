package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RecordRingTest {

    private static final int CAPACITY = 1024;

    @Test
    void recordsAreReadCompleteAndInOrder() {
        RecordRing ring = new RecordRing(CAPACITY);
        Deque<String> model = new ArrayDeque<>();
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int i = 0; i < 200_000; i++) {
            if (random.nextInt(2) == 0) {
                String record = i + "x".repeat(random.nextInt(120));
                if (put(ring, record)) {
                    model.add(record);
                } else {
                    refused++;
                    assertThat(model).as("refused although there is room").hasSizeGreaterThan(3);
                }
            } else {
                assertThat(take(ring)).isEqualTo(model.poll());
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void uncommittedClaimIsDiscarded() {
        RecordRing ring = new RecordRing(CAPACITY);
        for (int i = 0; i < 100; i++) {
            assertThat(ring.claim(400)).isTrue();
            assertThat(take(ring)).isNull();
            assertThat(put(ring, "record " + i)).isTrue();
            assertThat(take(ring)).isEqualTo("record " + i);
        }
    }

    @Test
    void rejectsRecordLargerThanRing() {
        assertThat(new RecordRing(CAPACITY).claim(CAPACITY)).isFalse();
    }

    @Test
    void detectsFullRing() {
        RecordRing ring = new RecordRing(CAPACITY);
        assertThat(ring.isHalfFull()).isFalse();
        while (put(ring, "x".repeat(100))) {}
        assertThat(ring.isHalfFull()).isTrue();
        while (take(ring) != null) {}
        assertThat(ring.isHalfFull()).isFalse();
    }

    @Test
    void capacityIsPowerOfTwo() {
        assertThatThrownBy(() -> new RecordRing(1000)).hasMessage("capacity: 1000 (expected: a power of two)");
    }

    @Test
    void readerSeesEachRecordOnce() throws InterruptedException {
        RecordRing ring = new RecordRing(CAPACITY);
        int records = 300_000;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread consumer = new Thread(() -> {
            try {
                for (int i = 0; i < records; ) {
                    String record = take(ring);
                    if (record == null) {
                        Thread.onSpinWait();
                    } else {
                        assertThat(record).isEqualTo(record(i++));
                    }
                }
            } catch (Throwable e) { // the test must report any error
                failure.set(e);
            }
        });
        consumer.start();
        for (int i = 0; i < records && consumer.isAlive(); ) {
            if (put(ring, record(i))) {
                i++;
            } else {
                Thread.onSpinWait();
            }
        }
        consumer.join();

        assertThat(failure.get()).isNull();
        assertThat(take(ring)).isNull();
    }

    private static String record(int number) {
        return number + "abcdefghijklmnopqrstuvwxyz".substring(number % 26);
    }

    private static boolean put(RecordRing ring, String record) {
        byte[] bytes = record.getBytes(StandardCharsets.US_ASCII);
        if (!ring.claim(bytes.length + Long.BYTES)) {
            return false;
        }
        ring.putInt(bytes.length);
        ring.putBytes(bytes, bytes.length);
        ring.commit();
        return true;
    }

    private static String take(RecordRing ring) {
        if (!ring.peek()) {
            return null;
        }
        int length = RecordRing.intAt(ring.bytes(), ring.offset());
        assertThat(ring.length()).isEqualTo(length + Integer.BYTES);
        String record = new String(ring.bytes(), ring.offset() + Integer.BYTES, length, StandardCharsets.US_ASCII);
        ring.release();
        return record;
    }
}

package io.ballast.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {

    private static final int LAST = LatencyHistogram.BUCKETS - 1;

    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void durationsFallIntoTheirBucket() {
        for (long micros = 0; micros < 1L << 32; micros += 1 + micros / 97) {
            int bucket = LatencyHistogram.bucketOf(micros);

            assertThat(LatencyHistogram.upperBoundMicros(bucket)).isGreaterThan(micros);
            assertThat(bucket == 0 ? 0 : LatencyHistogram.upperBoundMicros(bucket - 1))
                    .isLessThanOrEqualTo(micros);
        }
    }

    @Test
    void bucketWidthIsAtMostOneSixteenth() {
        for (int bucket = 1; bucket < LatencyHistogram.BUCKETS; bucket++) {
            long lower = LatencyHistogram.upperBoundMicros(bucket - 1);
            long width = LatencyHistogram.upperBoundMicros(bucket) - lower;

            assertThat(width).isBetween(1L, Math.max(1, lower / 16));
        }
    }

    @ParameterizedTest(name = "{0} µs falls into bucket {1}, which ends below {2} µs")
    @CsvSource({
        "0, 0, 1",
        "1, 1, 2",
        "15, 15, 16",
        "16, 16, 17",
        "31, 31, 32",
        "32, 32, 34",
        "33, 32, 34",
        "34, 33, 36",
        "63, 47, 64",
        "64, 48, 68",
        "1000, 111, 1024",
        "4294967295, 463, 4294967296"
    })
    void bucketsAreLogLinear(long micros, int bucket, long upperBound) {
        assertThat(LatencyHistogram.bucketOf(micros)).isEqualTo(bucket);
        assertThat(LatencyHistogram.upperBoundMicros(bucket)).isEqualTo(upperBound);
    }

    @Test
    void tooLongDurationsUseLastBucket() {
        assertThat(LatencyHistogram.bucketOf(1L << 32)).isEqualTo(LAST);
        assertThat(LatencyHistogram.bucketOf(Long.MAX_VALUE / 1000)).isEqualTo(LAST);
    }

    @Test
    void countsMicrosecondsAndSumsNanoseconds() {
        histogram.record(999);
        histogram.record(1_000);
        histogram.record(16_999);
        histogram.record(-5);

        long[] counts = new long[LatencyHistogram.BUCKETS];
        long sum = histogram.addTo(counts);

        assertThat(sum).isEqualTo(999 + 1_000 + 16_999);
        assertThat(counts[0]).as("999 ns and the negative one").isEqualTo(2);
        assertThat(counts[1]).isEqualTo(1);
        assertThat(counts[16]).isEqualTo(1);
        assertThat(Arrays.stream(counts).sum()).isEqualTo(4);
    }

    @Test
    void addKeepsExistingCounts() {
        histogram.record(Duration.ofMillis(1).toNanos());
        long[] counts = new long[LatencyHistogram.BUCKETS];
        Arrays.fill(counts, 10);

        histogram.addTo(counts);

        assertThat(counts[111]).isEqualTo(11);
        assertThat(counts[112]).isEqualTo(10);
    }
}

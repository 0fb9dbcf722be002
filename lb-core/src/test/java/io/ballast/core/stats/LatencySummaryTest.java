package io.ballast.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencySummaryTest {

    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1})
    void percentilesExceedExactByOneSixteenthAtMost(double share) {
        SplittableRandom random = new SplittableRandom(23);
        LatencyHistogram histogram = new LatencyHistogram();
        long[] nanos = new long[20_000];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (long) Math.exp(random.nextDouble(10, 24)); // 22 µs to 26 s, log-uniformly distributed
            histogram.record(nanos[i]);
        }
        Arrays.sort(nanos);

        double exact = nanos[(int) Math.ceil(share * nanos.length) - 1] / 1e6;

        assertThat(summary(histogram).percentileMillis(share)).isBetween(exact, exact * (1 + 1 / 16.0) + 0.001);
    }

    @Test
    void percentilesOfFewSamplesUseNextRank() {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int micros = 1; micros <= 10; micros++) {
            histogram.record(micros * 1000L);
        }
        LatencySummary summary = summary(histogram);

        assertThat(summary.percentileMillis(0)).as("the first").isEqualTo(0.002);
        assertThat(summary.percentileMillis(0.1)).as("the first").isEqualTo(0.002);
        assertThat(summary.percentileMillis(0.11)).as("the second").isEqualTo(0.003);
        assertThat(summary.percentileMillis(0.5)).as("the fifth").isEqualTo(0.006);
        assertThat(summary.percentileMillis(1)).as("the last").isEqualTo(0.011);
    }

    @Test
    void averageIsExact() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(Duration.ofMillis(75).toNanos());
        histogram.record(Duration.ofMillis(25).toNanos());
        histogram.record(Duration.ofMillis(2).toNanos());

        assertThat(summary(histogram).averageMillis()).isEqualTo(34);
        assertThat(summary(histogram).count()).isEqualTo(3);
        assertThat(summary(histogram).sumNanos()).isEqualTo(102_000_000);
    }

    @Test
    void emptySummaryIsZero() {
        LatencySummary empty = summary(new LatencyHistogram());

        assertThat(empty.count()).isZero();
        assertThat(empty.averageMillis()).isZero();
        assertThat(empty.percentileMillis(0.99)).isZero();
        assertThat(empty.countBelowMicros(Long.MAX_VALUE)).isZero();
    }

    @Test
    void emptySummaryAllocatesNothing() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(1_000);
        LatencySummary some = summary(histogram);

        assertThat(summary(new LatencyHistogram())).isSameAs(LatencySummary.NOTHING);
        assertThat(summary(histogram).since(some)).isSameAs(LatencySummary.NOTHING);
        assertThat(some.plus(LatencySummary.NOTHING)).isSameAs(some);
        assertThat(LatencySummary.NOTHING.plus(some)).isSameAs(some);
    }

    @Test
    void sumsEventLoops() {
        LatencyHistogram one = new LatencyHistogram();
        LatencyHistogram other = new LatencyHistogram();
        one.record(1_000);
        other.record(3_000);

        LatencySummary both = LatencySummary.of(List.of(one, other));

        assertThat(both.count()).isEqualTo(2);
        assertThat(both.averageMillis()).isCloseTo(0.002, within(1e-12));
        assertThat(both.percentileMillis(1)).isEqualTo(0.004);
    }

    @Test
    void sinceReturnsDifference() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(1_000);
        LatencySummary earlier = summary(histogram);
        histogram.record(5_000);

        LatencySummary since = summary(histogram).since(earlier);

        assertThat(since.count()).isEqualTo(1);
        assertThat(since.sumNanos()).isEqualTo(5_000);
        assertThat(since.percentileMillis(0)).isEqualTo(0.006);
    }

    @Test
    void plusReturnsSumWithoutMutation() {
        LatencyHistogram one = new LatencyHistogram();
        one.record(1_000);
        LatencyHistogram other = new LatencyHistogram();
        other.record(5_000);
        other.record(7_000);
        LatencySummary first = summary(one);

        LatencySummary both = first.plus(summary(other));

        assertThat(both.count()).isEqualTo(3);
        assertThat(both.sumNanos()).isEqualTo(13_000);
        assertThat(both.percentileMillis(1)).isEqualTo(0.008);
        assertThat(first.count()).isEqualTo(1);
    }

    @Test
    void summaryIsImmutable() {
        LatencyHistogram histogram = new LatencyHistogram();
        LatencySummary before = summary(histogram);

        histogram.record(1_000);

        assertThat(before.count()).isZero();
    }

    @Test
    void countBelowRoundsDownToBucket() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(9_000);
        histogram.record(10_000);
        histogram.record(64_000); // in the bucket from 64 to 67 µs
        LatencySummary summary = summary(histogram);

        assertThat(summary.countBelowMicros(0)).isZero();
        assertThat(summary.countBelowMicros(9)).isZero();
        assertThat(summary.countBelowMicros(10)).isEqualTo(1);
        assertThat(summary.countBelowMicros(11)).isEqualTo(2);
        assertThat(summary.countBelowMicros(67)).isEqualTo(2);
        assertThat(summary.countBelowMicros(68)).isEqualTo(3);
        assertThat(summary.countBelowMicros(Long.MAX_VALUE)).isEqualTo(3);
    }

    private static LatencySummary summary(LatencyHistogram histogram) {
        return LatencySummary.of(List.of(histogram));
    }
}

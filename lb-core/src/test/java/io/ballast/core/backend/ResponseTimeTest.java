package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseTimeTest {

    private static final long START = Duration.ofDays(3).toNanos();
    private static final long TAU = Duration.ofSeconds(ResponseTime.TAU_SECONDS).toNanos();

    private final ResponseTime time = new ResponseTime();

    @Test
    void isZeroWithoutSamples() {
        assertThat(time.micros(START)).isZero();
    }

    @Test
    void firstSampleSetsAverage() {
        time.record(millis(25), START);

        assertThat(time.micros(START)).isEqualTo(25_000);
    }

    @Test
    void higherSampleReplacesAverageImmediately() {
        time.record(millis(25), START);
        time.record(millis(80), START);

        assertThat(time.micros(START)).isEqualTo(80_000);
    }

    @Test
    void lowerSampleIsWeightedByElapsedTime() {
        time.record(millis(100), START);
        time.record(millis(10), START + TAU);

        float kept = 0.3687f; // a little more than 1 / e
        assertThat(time.micros(START + TAU)).isCloseTo(100_000 * kept + 10_000 * (1 - kept), within(50f));
    }

    @Test
    void lowerSampleAtSameTimeHasNoWeight() {
        time.record(millis(100), START);
        time.record(millis(10), START);

        assertThat(time.micros(START)).isEqualTo(100_000);
    }

    @Test
    void repeatedSamplesLowerAverage() {
        time.record(millis(1000), START);
        for (int i = 1; i <= 100; i++) {
            time.record(millis(10), START + i * TAU);
        }

        assertThat(time.micros(START + 100 * TAU)).isCloseTo(10_000, within(10f));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 1, 2, 5})
    void averageDecaysExponentiallyWithoutSamples(double taus) {
        time.record(millis(100), START);

        float left = time.micros(START + (long) (taus * TAU)) / 100_000;

        assertThat((double) left).isBetween(Math.exp(-taus), 1.25 * Math.exp(-taus));
    }

    @Test
    void averageDecaysFurtherOverTime() {
        time.record(millis(100), START);

        assertThat(time.micros(START + 60 * TAU)).isLessThan(100).isPositive();
    }

    @Test
    void backwardTimeChangesNothing() {
        time.record(millis(100), START);

        assertThat(time.micros(START - TAU)).isEqualTo(100_000);
    }

    @Test
    void acceptsWrappedTimestamp() {
        long beforeWrap = ((1L << 32) << 14) - millis(1);
        time.record(millis(100), beforeWrap);

        assertThat(time.micros(beforeWrap + TAU)).isCloseTo(36_870, within(40f));
    }

    @Test
    void failureCountsAsAtLeastTwiceAverage() {
        time.record(millis(100), START);
        time.recordFailure(millis(1), millis(50), START);

        assertThat(time.micros(START)).isEqualTo(200_000);
    }

    @Test
    void failureCountsAsAtLeastPenalty() {
        time.record(millis(10), START);
        time.recordFailure(millis(1), millis(50), START);

        assertThat(time.micros(START)).isEqualTo(50_000);
    }

    @Test
    void slowFailureCountsWithItsDuration() {
        time.recordFailure(millis(3000), millis(50), START);

        assertThat(time.micros(START)).isEqualTo(3_000_000);
    }

    @Test
    void failuresRaiseAverageToOneMinuteAtMost() {
        for (int i = 0; i < 1_000; i++) {
            time.recordFailure(millis(1), millis(1000), START);
        }

        assertThat(time.micros(START)).isEqualTo(60_000_000);
        assertThat(time.micros(START + 12 * TAU)).as("after two minutes").isLessThan(2_500);
    }

    @Test
    void failureDecaysWithinOneMinute() {
        time.recordFailure(millis(1), millis(1000), START);

        assertThat(time.micros(START + 7 * TAU)).isLessThan(2_000);
    }

    @Test
    void zeroDurationCountsAsMeasured() {
        time.record(0, START);

        assertThat(time.micros(START)).isPositive().isLessThan(0.01f);
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}

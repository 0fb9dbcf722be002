package io.ballast.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlidingRateTest {

    private static final long SECOND = 1_000_000_000;

    private final SlidingRate rate = new SlidingRate();

    @Test
    void firstSampleHasNoRate() {
        assertThat(rate.sample(1000, 5 * SECOND)).isZero();
    }

    @Test
    void rateIsGrowthPerSecond() {
        rate.sample(1000, 5 * SECOND);

        assertThat(rate.sample(1300, 7 * SECOND)).isEqualTo(150);
        assertThat(rate.sample(1300, 8 * SECOND)).isZero();
        assertThat(rate.sample(1301, 8 * SECOND + SECOND / 4)).isEqualTo(4);
    }

    @Test
    void sampleAtSameTimeCountsTowardNext() {
        rate.sample(0, 0);
        rate.sample(100, SECOND);

        assertThat(rate.sample(140, SECOND)).isEqualTo(100);
        assertThat(rate.sample(150, 2 * SECOND)).isEqualTo(50);
    }

    @Test
    void acceptsNegativeClock() {
        rate.sample(7, -SECOND);

        assertThat(rate.sample(17, 0)).isEqualTo(10);
    }
}

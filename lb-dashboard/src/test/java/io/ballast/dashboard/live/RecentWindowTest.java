package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.LatencySummary;
import org.junit.jupiter.api.Test;

class RecentWindowTest {

    private static final LatencySummary NO_LATENCY = LatencySummary.NOTHING;

    @Test
    void recentCoversTheLastTenToTwentySeconds() {
        RecentWindow window = new RecentWindow(Totals.NONE);

        for (int second = 1; second <= 100; second++) {
            window.add(new Totals(second * 5L, second * 5L, second, NO_LATENCY, 0));

            long seconds = window.recent().requests() / 5;
            if (second >= RecentWindow.MAX_SECONDS) {
                assertThat(seconds).isBetween((long) RecentWindow.MIN_SECONDS, (long) RecentWindow.MAX_SECONDS);
            } else {
                assertThat(seconds).isLessThanOrEqualTo(second);
            }
            assertThat(window.recent().errors()).isEqualTo(seconds);
        }
    }

    @Test
    void recentIsEmptyAfterAnIdlePeriod() {
        RecentWindow window = new RecentWindow(Totals.NONE);
        Totals last = new Totals(7, 7, 0, NO_LATENCY, 0);

        for (int second = 0; second <= RecentWindow.MAX_SECONDS; second++) {
            window.add(last);
        }

        assertThat(window.recent().requests()).isZero();
    }

    @Test
    void countsBeforeTheFirstReadingAreNotRecent() {
        RecentWindow window = new RecentWindow(new Totals(1000, 1000, 0, NO_LATENCY, 0));

        window.add(new Totals(1003, 1003, 0, NO_LATENCY, 0));

        assertThat(window.recent().requests()).isEqualTo(3);
    }
}

package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StatusRateTest {

    @Test
    void ratesOfTheLastMinutesAreKept() {
        StatusRate rate = new StatusRate();
        rate.sample(7, 0);
        for (int second = 1; second <= StatusRate.SECONDS; second++) {
            rate.sample(7 + 3L * second, TimeUnit.SECONDS.toNanos(second));
        }
        rate.sample(7 + 3L * StatusRate.SECONDS, TimeUnit.SECONDS.toNanos(StatusRate.SECONDS + 1));

        List<Double> kept = new ArrayList<>();
        rate.history().forEach(kept::add);

        assertThat(rate.perSecond()).isZero();
        assertThat(kept).hasSize(StatusRate.SECONDS).endsWith(0.0).startsWith(3.0);
    }
}

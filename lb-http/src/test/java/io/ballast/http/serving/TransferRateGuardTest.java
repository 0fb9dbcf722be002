package io.ballast.http.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TransferRateGuardTest {

    private static final long SECOND = 1_000_000_000L;
    /** A start time near the end of the clock's range, so that sums overflow. */
    private static final long START = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    private final TransferRateGuard pace = new TransferRateGuard(100, Duration.ofSeconds(5), Duration.ofSeconds(30));

    @Test
    void noProgressTimesOutAfterGracePeriod() {
        pace.begin(START);

        assertThat(pace.isTooSlow(START + 5 * SECOND - 1)).isFalse();
        assertThat(pace.isTooSlow(START + 5 * SECOND)).isTrue();
        assertThat(pace.minEndNanos(START + 60 * SECOND)).isEqualTo(START + 5 * SECOND);
        assertThat(pace.minEndNanos(START + 2 * SECOND)).isEqualTo(START + 2 * SECOND);
    }

    @Test
    void eachByteExtendsDeadline() {
        pace.begin(START);
        pace.recordProgress(250, START + SECOND);
        pace.begin(START + 2 * SECOND); // no effect: the guard is already measuring

        assertThat(pace.isTooSlow(START + 7_500_000_000L - 1)).isFalse();
        assertThat(pace.isTooSlow(START + 7_500_000_000L)).isTrue();
    }

    @Test
    void extensionIsLimited() {
        pace.begin(START);
        pace.recordProgress(1_000_000, START + SECOND);

        assertThat(pace.isTooSlow(START + 31 * SECOND - 1)).isFalse();
        assertThat(pace.isTooSlow(START + 31 * SECOND)).isTrue();
    }

    @Test
    void knownLengthMaySetDeadline() {
        pace.begin(START);
        pace.begin(START + SECOND, /* bytes= */ 10_000);

        assertThat(pace.isTooSlow(START + 106 * SECOND - 1)).isFalse();
        assertThat(pace.isTooSlow(START + 106 * SECOND)).isTrue();
    }

    @Test
    void pausedTransferDoesNotTimeOut() {
        pace.recordProgress(1, START);
        assertThat(pace.isTooSlow(START + 99 * SECOND)).isFalse();
        pace.begin(START);
        pace.stop();
        assertThat(pace.isTooSlow(START + 99 * SECOND)).isFalse();

        pace.begin(START + 99 * SECOND);

        assertThat(pace.isTooSlow(START + 104 * SECOND - 1)).isFalse();
        assertThat(pace.isTooSlow(START + 104 * SECOND)).isTrue();
    }

    @Test
    void minimumRateMayBeDisabled() {
        TransferRateGuard none = new TransferRateGuard(0, Duration.ofSeconds(5), Duration.ofSeconds(30));
        none.begin(START, 100);
        none.recordProgress(1, START);

        assertThat(none.isTooSlow(START + 999 * SECOND)).isFalse();
        assertThat(none.minEndNanos(START)).isEqualTo(START);
    }
}

package io.ballast.policy.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.policy.config.Rate;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LoginAttemptsTest {

    private static final Rate THREE_PER_MINUTE = new Rate(3, Duration.ofMinutes(1));
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final LoginAttempts attempts = new LoginAttempts(THREE_PER_MINUTE, new SipHash24(1, 2), /* now= */ 0);

    @Test
    void refusesAttemptsAboveTheRate() {
        for (int i = 0; i < 3; i++) {
            assertThat(attempts.charge(/* key= */ 1, SECOND)).isZero();
        }

        assertThat(attempts.charge(/* key= */ 1, SECOND)).isEqualTo(20 * SECOND);
        assertThat(attempts.charge(/* key= */ 2, SECOND)).isZero();
        assertThat(attempts.charge(/* key= */ 1, 21 * SECOND)).isZero();
    }

    @Test
    void refundedAttemptIsNotCounted() {
        for (int i = 0; i < 100; i++) {
            assertThat(attempts.charge(/* key= */ 1, SECOND)).isZero();
            attempts.refund(/* key= */ 1);
        }
        attempts.refund(/* key= */ 2); // the refund of an unknown key has no effect

        assertThat(attempts.charge(/* key= */ 2, SECOND)).isZero();
    }

    @Test
    void refusesNewPairsWhileTheTableIsFull() {
        SplittableRandom random = new SplittableRandom(42);
        long refused = 0;
        for (int i = 0; i < 4 * LoginAttempts.MAX_KEYS; i++) {
            refused += attempts.charge(random.nextLong(1, Long.MAX_VALUE), SECOND) > 0 ? 1 : 0;
        }
        assertThat(refused).isPositive();

        for (int i = 0; i < 100; i++) { // all pairs have recovered
            assertThat(attempts.charge(random.nextLong(1, Long.MAX_VALUE), 120 * SECOND))
                    .isZero();
        }
    }
}

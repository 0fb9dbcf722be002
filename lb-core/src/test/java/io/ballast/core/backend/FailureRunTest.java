package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureRunTest {

    private static final int ENOUGH = 5;
    private static final Duration SLOWLY = Duration.ofMillis(300);

    private final FailureRun run = new FailureRun();
    private long nowNanos = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos(); // the clock overflows during the test

    @Test
    void consecutiveFailuresReachThreshold() {
        for (int i = 1; i < ENOUGH; i++) {
            assertThat(fail(SLOWLY)).isNull();
        }

        assertThat(fail(SLOWLY)).isEqualTo("5 requests in a row failed");
        assertThat(fail(SLOWLY)).as("counting begins anew").isNull();
    }

    @Test
    void responseResetsFailures() {
        for (int i = 1; i < ENOUGH; i++) {
            fail(SLOWLY);
        }
        run.recordResponse();

        for (int i = 1; i < ENOUGH; i++) {
            assertThat(fail(SLOWLY)).isNull();
        }
    }

    @Test
    void failuresWithinOneSecondAreNotEnough() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(fail(Duration.ofNanos(99_000))).isNull();
        }

        assertThat(fail(Duration.ofMillis(100))).isEqualTo("10001 requests in a row failed");
    }

    private @Nullable String fail(Duration after) {
        nowNanos += after.toNanos();
        return run.recordFailure(ENOUGH, nowNanos);
    }
}

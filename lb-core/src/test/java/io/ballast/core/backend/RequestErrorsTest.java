package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestErrorsTest {

    private static final int ENOUGH = 5;
    private static final Duration SLOWLY = Duration.ofMillis(200);

    private final RequestErrors errors = new RequestErrors();
    private long nowNanos = Long.MAX_VALUE - Duration.ofMillis(300).toNanos(); // the clock overflows during the test

    @Test
    void consecutiveErrorsReachThreshold() {
        for (int i = 1; i < ENOUGH; i++) {
            assertThat(fail(SLOWLY)).isNull();
        }

        assertThat(fail(SLOWLY)).isEqualTo("5 of 5 requests failed");
    }

    @Test
    void countRestartsAfterReport() {
        for (int i = 0; i < ENOUGH; i++) {
            fail(SLOWLY);
        }

        for (int i = 1; i < ENOUGH; i++) {
            assertThat(fail(SLOWLY)).isNull();
        }
        assertThat(fail(SLOWLY)).isNotNull();
    }

    @Test
    void responseHalvesErrors() {
        for (int i = 1; i < ENOUGH; i++) {
            fail(SLOWLY);
        }
        errors.recordSuccess(errors.probations());

        assertThat(fail(SLOWLY)).isNull();
        assertThat(fail(SLOWLY)).isNull();
        assertThat(fail(SLOWLY)).isEqualTo("7 of 8 requests failed");
    }

    @Test
    void responsesClearErrors() {
        for (int i = 1; i < ENOUGH; i++) {
            fail(SLOWLY);
        }
        errors.recordSuccess(errors.probations());
        errors.recordSuccess(errors.probations());
        errors.recordSuccess(errors.probations());

        for (int i = 1; i < ENOUGH; i++) {
            assertThat(fail(SLOWLY)).isNull();
        }
        assertThat(fail(SLOWLY)).isEqualTo("5 of 5 requests failed");
    }

    @Test
    void simultaneousErrorsAreNotEnough() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(fail(Duration.ZERO)).isNull();
        }

        assertThat(fail(Duration.ofMillis(RequestErrors.MIN_MILLIS + 1))).isNotNull();
    }

    @Test
    void requestsFromBeforeProbationAreIgnored() {
        int before = errors.probations();
        errors.startProbation();

        assertThat(errors.recordFailure(before, ENOUGH, nowNanos)).isNull();
        errors.recordSuccess(before);

        assertThat(errors.recordFailure(errors.probations(), ENOUGH, nowNanos))
                .isEqualTo("the first request failed again");
    }

    @Test
    void firstErrorEndsProbationWithEjection() {
        errors.startProbation();

        assertThat(fail(Duration.ZERO)).isEqualTo("the first request failed again");
        assertThat(fail(Duration.ZERO)).as("counting begins anew").isNull();
    }

    @Test
    void responseEndsProbation() {
        errors.startProbation();
        errors.recordSuccess(errors.probations());

        assertThat(fail(SLOWLY)).isNull();
    }

    /** Simulates 5,000 requests per second for ten seconds. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0} % of requests fail: {1}")
    @CsvSource({"10, false", "30, false", "90, true", "98, true"})
    void highRatesRequireNearlyAllFailures(int percent, boolean found) {
        SplittableRandom random = new SplittableRandom(1);
        boolean reported = false;
        for (int i = 0; i < 50_000; i++) {
            if (random.nextInt(100) < percent) {
                reported |= fail(Duration.ofNanos(200_000)) != null;
            } else {
                nowNanos += 200_000;
                errors.recordSuccess(errors.probations());
            }
        }

        assertThat(reported).isEqualTo(found);
    }

    @Test
    void countsErrorsOfAllThreads() throws InterruptedException {
        int threads = 4;
        int each = 25;
        CountDownLatch begin = new CountDownLatch(1);
        AtomicInteger reported = new AtomicInteger();
        Thread[] running = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            running[i] = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int k = 0; k < each; k++) {
                    if (errors.recordFailure(errors.probations(), threads * each, nowNanos) != null) {
                        reported.incrementAndGet();
                    }
                }
            });
            running[i].start();
        }
        begin.countDown();
        for (Thread thread : running) {
            thread.join();
        }

        assertThat(reported).hasValue(0);
        nowNanos += SLOWLY.toNanos();
        assertThat(errors.recordFailure(errors.probations(), threads * each + 1, nowNanos))
                .isEqualTo("101 of 101 requests failed");
    }

    /** Records a failed request at this time after the previous request. */
    private @Nullable String fail(Duration after) {
        nowNanos += after.toNanos();
        return errors.recordFailure(errors.probations(), ENOUGH, nowNanos);
    }
}

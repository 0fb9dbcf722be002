package io.ballast.policy.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.CircuitBreakerConfig.Slow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the states of a circuit breaker with a simulated clock. */
class CircuitBreakerTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final CircuitBreakerConfig CONFIG = config(Optional.empty());

    private final List<String> events = new ArrayList<>();
    private long now = -100 * SECOND; // System.nanoTime may be negative
    private CircuitBreaker breaker = breaker(CONFIG);

    private static CircuitBreakerConfig config(Optional<Slow> slow) {
        return new CircuitBreakerConfig(
                50,
                Duration.ofSeconds(10),
                10,
                slow,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                2,
                Optional.empty(),
                Optional.empty());
    }

    private CircuitBreaker breaker(CircuitBreakerConfig config) {
        return new CircuitBreaker(config, now, change -> events.add(change.text()));
    }

    /** Sends requests one after another; returns how many pass. */
    private int send(int count, RequestOutcome outcome) {
        int passed = 0;
        for (int i = 0; i < count; i++) {
            long pass = breaker.tryPass(now);
            if (pass != CircuitBreaker.REFUSED) {
                breaker.ended(pass, outcome, now);
                passed++;
            }
        }
        return passed;
    }

    private void open() {
        assertThat(send(10, RequestOutcome.FAILURE)).isEqualTo(10);
        assertThat(breaker.isClosed()).isFalse();
    }

    @Test
    void opensWhenTheShareOfFailuresIsReached() {
        send(50, RequestOutcome.SUCCESS);
        assertThat(send(49, RequestOutcome.FAILURE)).isEqualTo(49);
        assertThat(breaker.isClosed()).isTrue();

        send(1, RequestOutcome.FAILURE);

        assertThat(breaker.isClosed()).isFalse();
        assertThat(send(100, RequestOutcome.SUCCESS)).isZero();
        assertThat(breaker.remaining(now)).isEqualTo(5 * SECOND);
        assertThat(events).containsExactly("circuit breaker open for 5s: 50 of 100 requests failed within 10s");
    }

    @Test
    void needsEnoughRequests() {
        send(9, RequestOutcome.FAILURE);
        assertThat(breaker.isClosed()).isTrue();
    }

    @Test
    void forgetsRequestsBeforeTheWindow() {
        send(9, RequestOutcome.FAILURE);
        now += 11 * SECOND;
        send(9, RequestOutcome.FAILURE);

        assertThat(breaker.isClosed()).isTrue();
    }

    @Test
    void unknownOutcomesDoNotCount() {
        send(100, RequestOutcome.UNKNOWN);
        send(9, RequestOutcome.FAILURE);
        assertThat(breaker.isClosed()).isTrue();
    }

    @Test
    void slowResponsesOpenItOnlyIfConfigured() {
        send(100, RequestOutcome.SLOW);
        assertThat(breaker.isClosed()).isTrue();

        breaker = breaker(config(Optional.of(new Slow(80, Duration.ofSeconds(2)))));
        send(10, RequestOutcome.SUCCESS);
        send(39, RequestOutcome.SLOW);
        assertThat(breaker.isClosed()).isTrue();
        send(1, RequestOutcome.SLOW);
        assertThat(breaker.isClosed()).isFalse();
        assertThat(events).containsExactly("circuit breaker open for 5s: 40 of 50 requests were slow within 10s");
    }

    @Test
    void fewProbesPassAndCloseIt() {
        open();
        now += 5 * SECOND;
        long first = breaker.tryPass(now);
        long second = breaker.tryPass(now);
        assertThat(first).isNotEqualTo(CircuitBreaker.REFUSED);
        assertThat(second).isNotEqualTo(CircuitBreaker.REFUSED);
        assertThat(breaker.tryPass(now)).isEqualTo(CircuitBreaker.REFUSED);

        breaker.ended(first, RequestOutcome.SUCCESS, now);
        assertThat(breaker.isClosed()).isFalse();
        breaker.ended(second, RequestOutcome.SUCCESS, now);

        assertThat(breaker.isClosed()).isTrue();
        assertThat(send(9, RequestOutcome.FAILURE)).isEqualTo(9); // the failures before it opened do not count any more
        assertThat(breaker.isClosed()).isTrue();
        assertThat(events)
                .endsWith(
                        "circuit breaker half-open: probes pass", "circuit breaker closed: all probes have succeeded");
    }

    @Test
    void failedProbesDoubleTheTimeUpToTheMaximum() {
        open();
        for (int seconds : new int[] {5, 10, 15, 15}) {
            now += seconds * SECOND - 1;
            assertThat(send(1, RequestOutcome.FAILURE)).isZero();
            now++;
            assertThat(send(1, RequestOutcome.FAILURE)).isOne();
        }
        now += 15 * SECOND;
        assertThat(send(2, RequestOutcome.SUCCESS)).isEqualTo(2);
        open();
        assertThat(breaker.remaining(now)).isEqualTo(5 * SECOND);
    }

    @Test
    void abandonedProbeIsReplaced() {
        open();
        now += 5 * SECOND;
        assertThat(send(10, RequestOutcome.UNKNOWN)).isEqualTo(10);
        assertThat(send(2, RequestOutcome.SUCCESS)).isEqualTo(2);

        assertThat(breaker.isClosed()).isTrue();
    }

    @Test
    void furtherProbesPassIfTheFirstDoNotEnd() {
        open();
        now += 5 * SECOND;
        long stream = breaker.tryPass(now);
        breaker.tryPass(now);
        assertThat(send(1, RequestOutcome.SUCCESS)).isZero();

        now += 5 * SECOND;
        assertThat(send(2, RequestOutcome.SUCCESS)).isEqualTo(2);
        assertThat(breaker.isClosed()).isTrue();
        breaker.ended(stream, RequestOutcome.FAILURE, now); // a probe of an earlier state
        assertThat(breaker.isClosed()).isTrue();
    }

    @Test
    void resultsOfEarlierRequestsDoNotCountAsProbes() {
        long early = breaker.tryPass(now);
        open();
        now += 5 * SECOND;
        long probe = breaker.tryPass(now);

        breaker.ended(early, RequestOutcome.FAILURE, now);
        breaker.ended(probe, RequestOutcome.SUCCESS, now);
        assertThat(send(1, RequestOutcome.SUCCESS)).isOne();
        assertThat(breaker.isClosed()).isTrue();
    }
}

package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.Backends;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the load that failures add to a backend, and its duration. */
class LoadCellTest {

    private static final long HALF_LIFE = 1L << LoadCell.HALF_LIFE_SHIFT;
    private static final long START = 1_000 * HALF_LIFE;
    private static final long WRAP = HALF_LIFE << 20;
    private static final int STEPS = 64;

    private final InFlight inFlight = new InFlight(/* limit= */ 3);

    @Test
    void failureAddsLoadAfterExchangeEnds() {
        inFlight.recordFailure(0, START);

        assertThat(inFlight.count()).isZero();
        assertThat(inFlight.load(START)).isEqualTo(2);
        assertThat(inFlight.load(START + HALF_LIFE)).isEqualTo(1);
        assertThat(inFlight.load(START + 2 * HALF_LIFE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100, 500, 1_000, 30_000})
    void failureLoadDecaysWithinResponseTime(long millis) {
        long expected = Math.max(Duration.ofMillis(millis).toNanos(), 2 * HALF_LIFE);
        long step = expected / STEPS;
        double counted = 0;
        for (int phase = 0; phase < STEPS; phase++) {
            InFlight one = new InFlight(0);
            long begin = START + phase * step;
            one.recordFailure(Duration.ofMillis(millis).toNanos(), begin);
            for (int i = 0; i < 10 * STEPS; i++) {
                counted += (double) one.load(begin + i * step) * step / STEPS;
            }
        }

        assertThat(counted).isBetween(0.9 * expected, 2.1 * expected);
    }

    @Test
    void rapidFailuresDoNotDelayDecay() {
        for (int i = 0; i < 10_000; i++) {
            inFlight.recordFailure(0, START + i * HALF_LIFE / 10);
        }

        assertThat(inFlight.load(START + 1_000 * HALF_LIFE)).isLessThan(60);
    }

    @Test
    void loadIncludesRunningExchanges() {
        assertThat(inFlight.tryBegin()).isTrue();
        inFlight.recordFailure(0, START);
        assertThat(inFlight.tryBegin()).as("failures are no exchanges").isTrue();
        assertThat(inFlight.tryBegin()).isTrue();
        assertThat(inFlight.tryBegin()).isFalse();
        assertThat(inFlight.isFull()).isTrue();
        assertThat(inFlight.load(START)).isEqualTo(5);

        inFlight.end();

        assertThat(inFlight.count()).isEqualTo(2);
        assertThat(inFlight.isFull()).isFalse();
        assertThat(inFlight.load(START)).isEqualTo(4);
    }

    @Test
    void failureLoadIsBoundedAndGoneAfterSixteenHalfLives() {
        for (int i = 0; i < 40_000; i++) {
            inFlight.recordFailure(0, START);
        }

        assertThat(inFlight.load(START)).isEqualTo(LoadCell.MAX_ADDED);
        assertThat(inFlight.load(START + 16 * HALF_LIFE)).isZero();
        assertThat(inFlight.count()).isZero();
    }

    @Test
    void slightlyLateClockReadsFullLoad() {
        inFlight.recordFailure(0, START);

        assertThat(inFlight.load(START - 3 * HALF_LIFE)).isEqualTo(2);
    }

    @Test
    void longHalfLifeDoesNotDecayEarly() {
        long halfLife = HALF_LIFE << LoadCell.MAX_DOUBLINGS;
        long start = 1_000 * halfLife;
        inFlight.recordFailure(Duration.ofSeconds(30).toNanos(), start);

        assertThat(inFlight.load(start - Duration.ofSeconds(1).toNanos())).isEqualTo(2);
        assertThat(inFlight.load(start + WRAP - 2 * halfLife)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 30_000})
    void expiredLoadDoesNotReturnWhenTimeWraps(long millis) {
        inFlight.begin();
        inFlight.recordFailure(Duration.ofMillis(millis).toNanos(), START);

        inFlight.forgetFailures(START);
        assertThat(inFlight.load(START)).as("it counts still").isEqualTo(3);
        inFlight.forgetFailures(START + Duration.ofHours(1).toNanos());

        assertThat(inFlight.load(START + WRAP)).isEqualTo(1);
        assertThat(inFlight.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE, Long.MIN_VALUE})
    void acceptsAnyTime(long nanos) {
        inFlight.recordFailure(nanos, nanos);

        assertThat(inFlight.load(nanos)).isBetween(2, LoadCell.MAX_ADDED);
    }

    @Test
    void pickersReadSameLoad() {
        Backend failing = Backends.backend(0);
        Backend other = Backends.backend(1);
        BackendLoads loads = new BackendLoads(List.of(failing, other));
        failing.inFlight().recordFailure(0, START);
        other.inFlight().begin();

        assertThat(loads.inFlight(0)).isZero();
        assertThat(loads.load(0, START)).isEqualTo(2);
        assertThat(loads.min(new int[] {1, 1}, 0, START)).isEqualTo(1);
        assertThat(loads.min(new int[] {1, 1}, 0, START + 2 * HALF_LIFE)).isZero();
    }
}

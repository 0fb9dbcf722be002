package io.ballast.agent.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.config.LoadDrainConfig;
import io.ballast.agent.config.LoadLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LoadDrainTest {

    private static final LoadLimit LIMIT = new LoadLimit(90, 70);

    private LoadDrain drain = new LoadDrain(config(Duration.ofSeconds(30), Duration.ofSeconds(60)));
    private long nanos;

    @Test
    void shareFallsOverBleedAfterTheLoadWasHighForHold() {
        assertThat(after(30, 95)).isEqualTo(100);
        assertThat(after(20, 95)).isEqualTo(70);
        assertThat(drain.reason()).isEqualTo("cpu 95%");
        assertThat(after(40, 95)).isEqualTo(10);
        assertThat(after(1000, 100)).isEqualTo(10);
    }

    @Test
    void shareStaysBetweenTheLimitsAndRisesAfterTheLoadWasLowForHold() {
        after(50, 95);
        assertThat(after(100, 80)).isEqualTo(70);

        assertThat(after(31, 69)).isEqualTo(70);
        assertThat(after(8, 69)).isEqualTo(80);
        assertThat(after(20, 0)).isEqualTo(100);
        assertThat(drain.reason()).isEmpty();
    }

    @Test
    void shortPeaksChangeNothing() {
        for (int i = 0; i < 20; i++) {
            assertThat(after(29, 95)).isEqualTo(100);
            assertThat(after(1, 80)).isEqualTo(100);
        }
    }

    @Test
    void shortDipsDoNotRaiseTheShare() {
        after(90, 95);
        for (int i = 0; i < 20; i++) {
            assertThat(after(29, 10)).isEqualTo(10);
            assertThat(after(1, 80)).isEqualTo(10);
        }
    }

    @Test
    void withoutHoldAndBleedTheShareFollowsAtOnce() {
        drain = new LoadDrain(config(Duration.ZERO, Duration.ZERO));

        assertThat(after(2, 90)).isEqualTo(10);
        assertThat(after(2, 69)).isEqualTo(100);
    }

    @Test
    void anyHighValueLowersAndAllLowValuesRaiseTheShare() {
        drain = new LoadDrain(new LoadDrainConfig(
                Optional.of(LIMIT),
                Optional.of(LIMIT),
                Optional.of(new LoadLimit(50, 10)),
                Duration.ofSeconds(1),
                Duration.ZERO));

        assertThat(update(4, 0, 95, 0)).isEqualTo(10);
        assertThat(drain.reason()).isEqualTo("memory 95%");
        assertThat(update(4, 0, 0, 10)).isEqualTo(10);
        assertThat(update(4, 0, 0, 9)).isEqualTo(100);
        assertThat(update(4, 0, 0, 50)).isEqualTo(10);
        assertThat(drain.reason()).isEqualTo("errors 50%");
    }

    @Test
    void valuesThatCannotBeMeasuredChangeNothing() {
        after(90, 95);
        for (int i = 0; i < 100; i++) {
            nanos += Duration.ofSeconds(1).toNanos();
            assertThat(drain.update(
                            new LoadValues(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty()), nanos))
                    .isEqualTo(10);
        }
    }

    /** Measures the same CPU use once a second; returns the last share. */
    private int after(int seconds, int cpu) {
        return update(seconds, cpu, 0, 0);
    }

    private int update(int seconds, int cpu, int memory, int errors) {
        int share = 0;
        for (int i = 0; i < seconds; i++) {
            nanos += Duration.ofSeconds(1).toNanos();
            share = drain.update(
                    new LoadValues(OptionalInt.of(cpu), OptionalInt.of(memory), OptionalInt.of(errors)), nanos);
        }
        return share;
    }

    private static LoadDrainConfig config(Duration hold, Duration bleed) {
        return new LoadDrainConfig(Optional.of(LIMIT), Optional.empty(), Optional.empty(), hold, bleed);
    }
}

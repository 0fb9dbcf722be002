package io.ballast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChecksTest {

    @Test
    void returnsValidValue() {
        assertThat(Checks.positive(1, "n")).isEqualTo(1);
        assertThat(Checks.atLeast(-3, -3, "n")).isEqualTo(-3);
        assertThat(Checks.between(0, 0, 5, "n")).isZero();
        assertThat(Checks.between(5, 0, 5, "n")).isEqualTo(5);
        assertThat(Checks.positive(Duration.ofNanos(1), "d")).isEqualTo(Duration.ofNanos(1));
        assertThatCode(() -> Checks.that(true, "s", "", "anything")).doesNotThrowAnyException();
    }

    @Test
    void invalidValuesHaveOneErrorFormat() {
        assertThatThrownBy(() -> Checks.positive(0, "weight"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("weight: 0 (expected: >= 1)");
        assertThatThrownBy(() -> Checks.atLeast(-1, 0, "limit")).hasMessage("limit: -1 (expected: >= 0)");
        assertThatThrownBy(() -> Checks.between(-1, 0, 5, "n")).hasMessage("n: -1 (expected: 0..5)");
        assertThatThrownBy(() -> Checks.between(6, 0, 5, "n")).hasMessage("n: 6 (expected: 0..5)");
        assertThatThrownBy(() -> Checks.positive(Duration.ZERO, "timeout")).hasMessage("timeout: 0s (expected: > 0)");
        assertThatThrownBy(() -> Checks.positive(Duration.ofSeconds(-1), "timeout"))
                .hasMessage("timeout: -1s (expected: > 0)");
        assertThatThrownBy(() -> Checks.that(false, "path", "x", "a path that starts with /"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("path: x (expected: a path that starts with /)");
    }
}

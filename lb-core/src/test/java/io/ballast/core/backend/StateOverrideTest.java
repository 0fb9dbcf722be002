package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.StateOverride.Kind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateOverrideTest {

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\tb", "\u001b[31m", "a\u2028b", "\u202eab", "\u0000", "\ud800"})
    void textsAreSingleLine(String text) {
        assertThatThrownBy(() -> order(text, ""))
                .hasMessage("who: contains a control or invisible character (expected: plain text on one line)");
        assertThatThrownBy(() -> order("ann", text))
                .hasMessageStartingWith("why: contains a control or invisible character");
    }

    @Test
    void textsHaveMaximumLength() {
        assertThat(order("w".repeat(StateOverride.MAX_AUTHOR_LENGTH), "y".repeat(StateOverride.MAX_REASON_LENGTH)))
                .isNotNull();
        assertThatThrownBy(() -> order("w".repeat(65), "")).hasMessage("who: 65 characters (expected: at most 64)");
        assertThatThrownBy(() -> order("ann", "y".repeat(201)))
                .hasMessage("why: 201 characters (expected: at most 200)");
        assertThatThrownBy(() -> order(" ", "")).hasMessageStartingWith("who: ");
    }

    private static StateOverride order(String who, String why) {
        return new StateOverride(Kind.DRAIN, who, why, Instant.EPOCH, Optional.empty());
    }
}

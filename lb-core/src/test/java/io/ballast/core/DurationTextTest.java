package io.ballast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT54S, 54s",
        "PT90S, 1m30s",
        "PT24H, 1d",
        "PT0.5S, 500ms",
        "PT26H3M4.005S, 1d2h3m4s5ms",
        "PT0.000001001S, 1us1ns",
        "PT-1.5S, -1s500ms"
    })
    void isWrittenAsPeopleWriteIt(Duration duration, String text) {
        assertThat(DurationText.of(duration)).isEqualTo(text);
    }

    @Test
    void errorsContainFormattedDuration() {
        assertThatThrownBy(() -> Checks.that(/* holds= */ false, "ttl", Duration.ofSeconds(54), "whole minutes"))
                .hasMessage("ttl: 54s (expected: whole minutes)");
    }
}

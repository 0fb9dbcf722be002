package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProbeResultTest {

    private static final String LIMIT = "x".repeat(ProbeResult.MAX_TEXT);

    @Test
    void responseTextIsEscapedToOneLine() {
        String output = "503 a\nb\r\tc\u001b[2Jd\u007fe\u0085f\u009fg\u200eh\u202ei\u2028j\u2029k\ufeffl";

        assertThat(textOf(output)).isEqualTo("503 a?b??c?[2Jd?e?f?g?h?i?j?k?l");
        assertThat(ProbeResult.skipped(Duration.ZERO, "a\nb").text()).isEqualTo("a?b");
    }

    @Test
    void readableTextIsUnchanged() {
        String text = "200 \u00fcber \u4e2d\u6587 \ud83d\ude00 \"ok\" (expected: 200-299)";

        assertThat(textOf(text)).isEqualTo(text);
    }

    @Test
    void longTextIsTruncated() {
        assertThat(textOf(LIMIT)).isEqualTo(LIMIT);
        assertThat(textOf(LIMIT + "y")).isEqualTo(LIMIT + "...");
        assertThat(textOf(LIMIT.repeat(1000))).isEqualTo(LIMIT + "...");
    }

    @Test
    void truncationKeepsWholeCharacters() {
        assertThat(textOf(LIMIT.substring(1) + "\ud83d\ude00")).isEqualTo(LIMIT.substring(1) + "?...");
    }

    private static String textOf(String output) {
        return new ProbeResult(/* ok= */ false, Duration.ZERO, output).text();
    }
}

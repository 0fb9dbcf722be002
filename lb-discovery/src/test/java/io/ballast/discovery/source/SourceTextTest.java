package io.ballast.discovery.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceTextTest {

    @Test
    void replacesLineBreaksAndInvisibleCharacters() {
        assertThat(SourceText.oneLine(" no\r\n such\tname\u2028here ")).isEqualTo("no such name here");
        assertThat(SourceText.oneLine("a\u001b[2Jb\u0085c\u202ed\u200be\ud800f"))
                .isEqualTo("a [2Jb c d e f");
        assertThat(SourceText.oneLine("grün \ud83d\ude00 'x'")).isEqualTo("grün \ud83d\ude00 'x'");
        assertThat(SourceText.oneLine("\n")).isEmpty();
    }

    @Test
    void keepsBeginning() {
        String max = "x".repeat(SourceText.MAX_CHARACTERS);

        assertThat(SourceText.oneLine(max)).isEqualTo(max);
        assertThat(SourceText.oneLine(max + "y")).isEqualTo(max + "...");
        assertThat(SourceText.oneLine(max.substring(1) + "\ud83d\ude00")).isEqualTo(max.substring(1) + "...");
        assertThat(SourceText.oneLine("x" + " ".repeat(1 << 20) + "y")).isEqualTo("x...");
    }
}

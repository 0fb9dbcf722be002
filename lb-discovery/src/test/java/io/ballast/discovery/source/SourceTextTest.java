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
        String most = "x".repeat(SourceText.MOST_CHARACTERS);

        assertThat(SourceText.oneLine(most)).isEqualTo(most);
        assertThat(SourceText.oneLine(most + "y")).isEqualTo(most + "...");
        assertThat(SourceText.oneLine(most.substring(1) + "\ud83d\ude00")).isEqualTo(most.substring(1) + "...");
        assertThat(SourceText.oneLine("x" + " ".repeat(1 << 20) + "y")).isEqualTo("x...");
    }
}

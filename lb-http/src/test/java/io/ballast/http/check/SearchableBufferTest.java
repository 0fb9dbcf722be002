package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SearchableBufferTest {

    private final SearchableBuffer text = new SearchableBuffer();

    @Test
    void findsTextAcrossFragments() {
        String whole = "ab\r\n\r\ncd\r\n\r\n";
        for (int first = 0; first <= whole.length(); first++) {
            for (int second = first; second <= whole.length(); second++) {
                SearchableBuffer pieces = new SearchableBuffer();
                for (int[] piece : new int[][] {{0, first}, {first, second}, {second, whole.length()}}) {
                    append(pieces, whole.substring(piece[0], piece[1]));
                    if (piece[1] < 6) {
                        assertThat(pieces.find("\r\n\r\n")).isEqualTo(-1);
                    }
                }
                assertThat(pieces.find("\r\n\r\n")).as(first + ", " + second).isEqualTo(2);
                pieces.drop(6);
                assertThat(pieces.find("\r\n\r\n")).as(first + ", " + second).isEqualTo(2);
            }
        }
    }

    @Test
    void searchesEachByteOnce() {
        for (int i = 1; i <= 10_000; i++) {
            append(text, "x");
            assertThat(text.find("\r\n\r\n")).isEqualTo(-1);
            assertThat(text.searchIndex()).isEqualTo(Math.max(0, i - 3));
        }
    }

    @Test
    void findsLongerTextAtShorterMatch() {
        append(text, "ab\r\n");
        assertThat(text.find("\r\n")).isEqualTo(2);
        assertThat(text.find("\r\n\r\n")).isEqualTo(-1);

        append(text, "\r\n");

        assertThat(text.find("\r\n\r\n")).isEqualTo(2);
    }

    @Test
    void removedBytesAreNotFound() {
        append(text, "one two");
        text.drop(4);

        assertThat(text.length()).isEqualTo(3);
        assertThat(text.charAt(0)).isEqualTo('t');
        assertThat(text.first(2)).isEqualTo("tw");
        assertThat(text.find("one")).isEqualTo(-1);
        append(text, " three\u00ff");
        assertThat(text.first(text.length())).isEqualTo("two three\u00ff");
        assertThat(text.find("three")).isEqualTo(4);
    }

    private static void append(SearchableBuffer to, String piece) {
        ByteBuf data = Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1);
        to.append(data);
        assertThat(data.isReadable()).isFalse();
        data.release();
    }
}

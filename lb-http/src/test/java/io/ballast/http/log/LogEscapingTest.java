package io.ballast.http.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogEscapingTest {

    @Test
    void escapesLineAndTextEnds() {
        String hostile = "a\"b\\c\r\nd\te\u0000\u001b[31m\u007f";

        assertThat(escaped(LogEscaping.QUOTED, hostile)).isEqualTo("a\\\"b\\\\c\\x0d\\x0ad\\x09e\\x00\\x1b[31m\\x7f");
        assertThat(escaped(LogEscaping.JSON, hostile))
                .isEqualTo("a\\\"b\\\\\\\\c\\u000d\\u000ad\\u0009e\\u0000\\u001b[31m\\u007f");
    }

    @Test
    void validUtf8IsKeptInJsonOnly() {
        String text = "\u00e4 \u20ac \ud83d\ude00";

        assertThat(escaped(LogEscaping.JSON, text)).isEqualTo(text);
        assertThat(escaped(LogEscaping.QUOTED, text)).isEqualTo("\\xc3\\xa4 \\xe2\\x82\\xac \\xf0\\x9f\\x98\\x80");
    }

    @Test
    void escapesControlCharactersBeyondAscii() {
        assertThat(escaped(LogEscaping.JSON, "\u009b31m \u0085 \u00a0")).isEqualTo("\\u009b31m \\u0085 \u00a0");
    }

    /** For example, {@code exe.gpj} must not be displayed as {@code jpg.exe}. */
    @Test
    void escapesInvisibleAndBidirectionalCharacters() {
        assertThat(escaped(LogEscaping.JSON, "a\u202eb\u2066c\u200bd\ufeffe\u2028f"))
                .isEqualTo("a\\u202eb\\u2066c\\u200bd\\ufeffe\\u2028f");
    }

    @Test
    void distinguishesInvalidByteFromItsEscape() {
        String text = escaped(LogEscaping.JSON, "\\xff");
        String raw = escaped(LogEscaping.JSON, new byte[] {(byte) 0xFF});

        assertThat(text).isEqualTo("\\\\\\\\xff");
        assertThat(raw).isEqualTo("\\\\xff");
    }

    @Test
    void escapesInvalidUtf8() {
        byte[][] invalid = {
            {(byte) 0x80},
            {(byte) 0xC0, (byte) 0xAF},
            {(byte) 0xE0, (byte) 0x80, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF5},
            {(byte) 0xE2, (byte) 0x82},
            {(byte) 0xFF}
        };
        for (byte[] bytes : invalid) {
            assertThat(escaped(LogEscaping.JSON, bytes)).matches("(\\\\\\\\x[89a-f][0-9a-f])+");
        }
    }

    @Test
    void acceptsSameSequencesAsJdk() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = new byte[1 + random.nextInt(4)];
            random.nextBytes(bytes);
            bytes[0] |= (byte) 0xC0;
            int length = Utf8.sequence(bytes, 0, bytes.length);

            boolean valid = false;
            for (int size = 1; size <= bytes.length && !valid; size++) {
                valid = isOneCharacter(bytes, size) && size == length;
            }
            assertThat(length > 0).as("%s", ByteBuffer.wrap(bytes)).isEqualTo(valid);
        }
    }

    private static boolean isOneCharacter(byte[] bytes, int size) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, size))
                    .toString();
            return text.codePointCount(0, text.length()) == 1;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String escaped(LogEscaping escaping, String text) {
        return escaped(escaping, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(LogEscaping escaping, byte[] bytes) {
        LogLine line = new LogLine();
        escaping.append(bytes, 0, bytes.length, line);
        return new String(line.bytes(), 0, line.length(), StandardCharsets.UTF_8);
    }
}

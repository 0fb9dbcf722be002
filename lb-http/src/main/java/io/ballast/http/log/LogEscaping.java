package io.ballast.http.log;

/**
 * Escapes data from clients, so that it cannot end a line or a quoted text, control a terminal, or change the
 * order in which a line is displayed. Quoted texts are escaped as in Apache's logs: {@code \"}, {@code \\},
 * and {@code \xHH} for anything but printable ASCII.
 *
 * <p>In JSON valid UTF-8 is unchanged, except that control and formatting characters become JSON Unicode
 * escapes, which denote the same character. A byte that is not valid UTF-8 becomes the text {@code \xHH}. A
 * backslash becomes two backslashes, so that it cannot be confused with an escaped byte.
 */
enum LogEscaping {
    /** For text in quotation marks; the result contains only ASCII characters. */
    QUOTED,
    /** For JSON. */
    JSON;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    void append(byte[] source, int from, int length, LogLine target) {
        int end = from + length;
        int position = from;
        while (position < end) {
            byte b = source[position];
            if (b >= ' ' && b != '"' && b != '\\' && b != 0x7f) {
                target.append(b);
                position++;
            } else if (b == '"' || (b == '\\' && this == QUOTED)) {
                target.append((byte) '\\').append(b);
                position++;
            } else if (b == '\\') {
                target.ascii("\\\\\\\\"); // two backslashes, each of them escaped
                position++;
            } else {
                position += appendEscaped(source, position, end, target);
            }
        }
    }

    private int appendEscaped(byte[] source, int position, int end, LogLine target) {
        int sequence = this == JSON ? Utf8.sequence(source, position, end) : 0;
        if (sequence > 1) {
            int character = sequence > 3 ? 0 : Utf8.character(source, position, sequence);
            if (isInvisible(character)) {
                unicode(character, target);
            } else {
                target.append(source, position, sequence);
            }
            return sequence;
        }
        if (this == JSON && source[position] >= 0) {
            target.ascii("\\u00"); // an ASCII control character, which JSON escapes with four hexadecimal digits
        } else {
            target.ascii(this == JSON ? "\\\\x" : "\\x");
        }
        target.append(HEX[source[position] >> 4 & 0xF]).append(HEX[source[position] & 0xF]);
        return 1;
    }

    private static void unicode(int character, LogLine target) {
        target.ascii("\\u")
                .append(HEX[character >> 12 & 0xF])
                .append(HEX[character >> 8 & 0xF])
                .append(HEX[character >> 4 & 0xF])
                .append(HEX[character & 0xF]);
    }

    /**
     * Control characters beyond ASCII (U+0080 to U+009F), line separators, and the formatting characters that hide text
     * or change its direction (Unicode Standard Annex 9, section 2; Unicode Technical Report 36, section 3.7).
     */
    private static boolean isInvisible(int character) {
        return (character >= 0x80 && character < 0xA0)
                || character == 0xAD
                || character == 0x61C
                || (character >= 0x200B && character <= 0x200F)
                || (character >= 0x2028 && character <= 0x202E)
                || (character >= 0x2060 && character <= 0x206F)
                || character == 0xFEFF
                || (character >= 0xFFF9 && character <= 0xFFFB);
    }
}

package io.ballast.http.log;

/**
 * How octets that clients chose are written, so that nothing in them can end a line or a text, or reach a terminal. As
 * in Apache's logs: {@code \"}, {@code \\}, and {@code \xHH} for what is not printed. In JSON the backslashes are doubled
 * where JSON demands it, and valid UTF-8 stays as it is but for control characters.
 */
enum Escaping {
    /** For texts in quotes, ASCII only. */
    QUOTED,
    /** For JSON. */
    JSON;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    void append(byte[] source, int from, int length, LogLine target) {
        int end = from + length;
        int position = from;
        while (position < end) {
            byte octet = source[position];
            if (octet >= ' ' && octet != '"' && octet != '\\' && octet != 0x7f) {
                target.append(octet);
                position++;
            } else if (octet == '"' || octet == '\\') {
                target.append((byte) '\\').append(octet);
                position++;
            } else {
                position += unusual(source, position, end, target);
            }
        }
    }

    private int unusual(byte[] source, int position, int end, LogLine target) {
        int sequence = this == JSON ? Utf8.sequence(source, position, end) : 0;
        if (sequence > 1 && !isControl(source, position)) {
            target.append(source, position, sequence);
            return sequence;
        }
        if (this == JSON && source[position] >= 0) {
            target.ascii("\\u00"); // a control character, which JSON can name
        } else {
            target.ascii(this == JSON ? "\\\\x" : "\\x");
        }
        target.append(HEX[source[position] >> 4 & 0xF]).append(HEX[source[position] & 0xF]);
        return 1;
    }

    /** U+0080 to U+009F, which some terminals obey. */
    private static boolean isControl(byte[] source, int position) {
        return source[position] == (byte) 0xC2 && source[position + 1] < (byte) 0xA0;
    }
}

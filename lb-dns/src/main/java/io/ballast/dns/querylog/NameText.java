package io.ballast.dns.querylog;

/**
 * Converts names to text (<a href="https://datatracker.ietf.org/doc/html/rfc1035#section-5.1">RFC 1035 section
 * 5.1</a>). Non-printable bytes become {@code \DDD}, so that a name can neither end a line or string nor send control
 * characters to a terminal.
 */
final class NameText {

    private NameText() {}

    /** The wire-format name at {@code start} as text, without its final dot; "." for the root. */
    static String of(byte[] wire, int start) {
        if (wire[start] == 0) {
            return ".";
        }
        StringBuilder text = new StringBuilder(64);
        int at = start;
        while (wire[at] != 0) {
            if (at > start) {
                text.append('.');
            }
            int end = at + 1 + wire[at];
            for (int i = at + 1; i < end; i++) {
                append(wire[i] & 0xff, text);
            }
            at = end;
        }
        return text.toString();
    }

    private static void append(int b, StringBuilder text) {
        boolean isPrintable = b > ' ' && b < 0x7f;
        if (!isPrintable) {
            text.append('\\').append(b / 100).append(b / 10 % 10).append(b % 10);
            return;
        }
        if (b == '.' || b == '\\' || b == '"' || b == ';' || b == '(' || b == ')' || b == '@' || b == '$') {
            text.append('\\');
        }
        text.append((char) b);
    }
}

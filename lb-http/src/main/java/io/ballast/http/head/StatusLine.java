package io.ballast.http.head;

/** Parses a status line from a string (RFC 9112 section 4). Must not be used for every request, because it is slow. */
public final class StatusLine {

    private static final String VERSION_1_0 = "HTTP/1.0 ";
    private static final String VERSION_1_1 = "HTTP/1.1 ";
    private static final int STATUS_END = VERSION_1_1.length() + 3;
    private static final int DELETE = 0x7f;

    private StatusLine() {}

    /** The status in a line without its line end, or -1 if it is not a status line of HTTP/1. */
    public static int status(String line) {
        if (line.length() < STATUS_END
                || !(line.startsWith(VERSION_1_1) || line.startsWith(VERSION_1_0))
                || !endsWithPhrase(line)) {
            return -1;
        }
        int status = 0;
        for (int i = VERSION_1_1.length(); i < STATUS_END; i++) {
            int digit = line.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            status = 10 * status + digit;
        }
        return status >= 100 ? status : -1;
    }

    /** Whether the line ends after the status, or continues with a space and text without control characters. */
    private static boolean endsWithPhrase(String line) {
        if (line.length() > STATUS_END && line.charAt(STATUS_END) != ' ') {
            return false;
        }
        for (int i = STATUS_END; i < line.length(); i++) {
            if (line.charAt(i) < ' ' || line.charAt(i) == DELETE) {
                return false;
            }
        }
        return true;
    }
}

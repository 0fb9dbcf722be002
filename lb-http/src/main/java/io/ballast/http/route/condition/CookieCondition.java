package io.ballast.http.route.condition;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Holds if a cookie (RFC 6265 section 4.2.1) passes a test, or if no cookie passes it. Names and values are
 * compared as sent, including quotes.
 *
 * @param required false to require that no cookie with the name passes the test
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
record CookieCondition(byte[] name, ValueTest test, boolean required) implements Condition {

    private static final byte[] COOKIE = "cookie".getBytes(StandardCharsets.US_ASCII);

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        int line = request.headerLine(COOKIE, 0);
        while (line >= 0) {
            if (matchesAny(request.bytes(), request.headerStart(line), request.headerEnd(line), scratch)) {
                return required;
            }
            line = request.headerLine(COOKIE, line + 1);
        }
        return !required;
    }

    private boolean matchesAny(byte[] bytes, int from, int to, RouteScratch scratch) {
        int position = from;
        while (position < to) {
            int end = position;
            while (end < to && bytes[end] != ';') {
                end++;
            }
            if (matchesPair(bytes, skipBlanks(bytes, position, end), end, scratch)) {
                return true;
            }
            position = end + 1;
        }
        return false;
    }

    private boolean matchesPair(byte[] bytes, int from, int end, RouteScratch scratch) {
        int to = end;
        while (to > from && isBlank(bytes[to - 1])) {
            to--;
        }
        int value = from + name.length + 1;
        return value <= to
                && bytes[value - 1] == '='
                && Arrays.equals(name, 0, name.length, bytes, from, value - 1)
                && test.accepts(bytes, value, to, scratch);
    }

    private static int skipBlanks(byte[] bytes, int from, int to) {
        int position = from;
        while (position < to && isBlank(bytes[position])) {
            position++;
        }
        return position;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}

package io.ballast.policy.apikey;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;

/**
 * Finds the value of a query parameter. Characters of the parameter's name may be percent-encoded in the request. A
 * parameter that occurs several times counts as missing, because a backend could read another value than the policy.
 * Immutable; allocates nothing.
 */
final class QueryParameter {

    private static final int NOT_FOUND = -1;
    private static final int ESCAPE_LENGTH = 3;

    private final byte[] name;

    QueryParameter(String name) {
        this.name = name.getBytes(StandardCharsets.US_ASCII);
    }

    /** Appends the decoded value; returns false if the parameter is missing, empty, repeated or badly encoded. */
    boolean append(RoutedRequest request, ByteAppender target) {
        byte[] bytes = request.bytes();
        int end = request.pathEnd();
        int value = find(bytes, RouteScratch.pathEnd(request) + 1, end);
        if (value == NOT_FOUND) {
            return false;
        }
        int valueEnd = end(bytes, value, end);
        return valueEnd > value
                && find(bytes, valueEnd + 1, end) == NOT_FOUND
                && decode(bytes, value, valueEnd, target);
    }

    /**
     * Returns the start of the value of the first parameter with the name in {@code bytes[from, to)}. The name may be
     * written with percent-encoded characters, because backends decode it.
     */
    private int find(byte[] bytes, int from, int to) {
        for (int start = from; start < to; start = end(bytes, start, to) + 1) {
            int nameEnd = nameEnd(bytes, start, to);
            if (nameEnd < to && bytes[nameEnd] == '=') {
                return nameEnd + 1;
            }
        }
        return NOT_FOUND;
    }

    /**
     * Returns the end of the parameter name that begins at {@code start}; {@code to} if it is not the expected name.
     */
    private int nameEnd(byte[] bytes, int start, int to) {
        int at = start;
        for (byte expected : name) {
            int escaped = at < to && bytes[at] == '%' ? escaped(bytes, at, to) : NOT_FOUND;
            if (at >= to || (escaped == NOT_FOUND ? bytes[at] : escaped) != expected) {
                return to;
            }
            at += escaped == NOT_FOUND ? 1 : ESCAPE_LENGTH;
        }
        return at;
    }

    /**
     * Returns the character that the escape sequence at this index stands for; {@link #NOT_FOUND} if it is malformed.
     */
    private static int escaped(byte[] bytes, int at, int to) {
        int high = at + 2 < to ? Character.digit(bytes[at + 1], 16) : -1;
        int low = at + 2 < to ? Character.digit(bytes[at + 2], 16) : -1;
        return high < 0 || low < 0 ? NOT_FOUND : high << 4 | low;
    }

    private static int end(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != '&') {
            end++;
        }
        return end;
    }

    private static boolean decode(byte[] bytes, int from, int to, ByteAppender target) {
        int i = from;
        while (i < to) {
            if (bytes[i] != '%') {
                target.append(bytes[i++]);
                continue;
            }
            int escaped = escaped(bytes, i, to);
            if (escaped == NOT_FOUND) {
                return false;
            }
            target.append((byte) escaped);
            i += ESCAPE_LENGTH;
        }
        return true;
    }
}

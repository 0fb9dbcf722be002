package io.ballast.policy.apikey;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds a query parameter that a request must contain once, under its name as configured. Several values count as none,
 * because a backend could read another value than the policy. Immutable; allocates nothing.
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

    /** Returns the start of the value of the first parameter with the name in {@code bytes[from, to)}. */
    private int find(byte[] bytes, int from, int to) {
        for (int start = from; start < to; start = end(bytes, start, to) + 1) {
            int value = start + name.length + 1;
            if (value <= to
                    && bytes[value - 1] == '='
                    && Arrays.equals(name, 0, name.length, bytes, start, value - 1)) {
                return value;
            }
        }
        return NOT_FOUND;
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
            int high = i + 2 < to ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < to ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            target.append((byte) (high << 4 | low));
            i += ESCAPE_LENGTH;
        }
        return true;
    }
}

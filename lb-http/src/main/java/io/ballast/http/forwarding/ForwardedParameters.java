package io.ballast.http.forwarding;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldScanner;

/**
 * Iterates over the parameters in a value of {@code Forwarded} (RFC 7239 section 4). Outside quotes, a comma
 * ends an element, and a semicolon ends a parameter. Event-loop confined; allocates nothing.
 */
final class ForwardedParameters {

    private byte[] bytes = {};
    private int limit;
    private int next;

    private int nameStart;
    private int equalsPosition;
    private int end;
    private boolean endsElement;
    private boolean unclosed;

    /**
     * Resets the iterator to the position before the first parameter of the value in {@code source[from, to)}.
     */
    void start(byte[] source, int from, int to) {
        bytes = source;
        limit = to;
        next = from;
        unclosed = false;
    }

    /**
     * Advances to the next parameter; false if there is none. A value has at least one parameter, which may be empty.
     */
    boolean next() {
        if (next > limit) {
            return false;
        }
        nameStart = next;
        while (nameStart < limit && FieldScanner.isBlank(bytes[nameStart])) {
            nameStart++;
        }
        equalsPosition = limit;
        int position = nameStart;
        boolean quoted = false;
        while (position < limit && (quoted || !isSeparator(bytes[position]))) {
            byte b = bytes[position];
            if (b == '"') {
                quoted = !quoted;
            } else if (quoted && b == '\\') {
                position++;
            } else if (b == '=' && equalsPosition == limit) {
                equalsPosition = position;
            }
            position++;
        }
        unclosed |= quoted;
        end = Math.min(position, limit);
        endsElement = end == limit || bytes[end] == ',';
        next = end + 1;
        return true;
    }

    private static boolean isSeparator(byte b) {
        return b == ',' || b == ';';
    }

    /** Whether the parameter has the name {@code name}, which must be in lower case. */
    boolean hasName(byte[] name) {
        return equalsPosition < end && ByteClasses.equalsIgnoreCase(bytes, nameStart, equalsPosition, name);
    }

    /** Returns the start of the value, including a quote. Valid only after {@link #hasName} returned true. */
    int valueStart() {
        return equalsPosition + 1;
    }

    int valueEnd() {
        return end;
    }

    /** Whether the parameter is the last one of its element. */
    boolean endsElement() {
        return endsElement;
    }

    /** Whether a quote was not closed, so that the last parameter is invalid. */
    boolean isUnclosed() {
        return unclosed;
    }
}

package io.ballast.http.h2.wire;

import io.ballast.http.head.Octets;

/**
 * How urgent a response is to its client (RFC 9218 section 4), as a number: what goes first is lower. It is twice the urgency,
 * and one more if the response is of use in parts. Stateless; nothing is allocated.
 */
public final class Priority {

    /** Urgency 3, of no use in parts. */
    public static final int DEFAULT = 3 << 1;

    /** What cannot be read, so that it says nothing. */
    public static final int NONE = -1;

    private static final int MOST_URGENCY = 7;
    private static final int MOST_DIGITS = 15;

    private Priority() {}

    /** Whether a response is of use in parts, so that it takes turns with others like it. */
    public static boolean isIncremental(int priority) {
        return (priority & 1) != 0;
    }

    /** The value of a field that says so. */
    public static byte[] text(int priority) {
        return Octets.ascii("u=" + (priority >> 1) + (isIncremental(priority) ? ", i" : ""));
    }

    /**
     * Reads a dictionary of structured fields (RFC 8941 section 3.2). What it does not name stays as it was; values that make no
     * sense and names that are not known are passed over.
     *
     * @param before what holds for what is not named
     * @return {@link #NONE} if it is no dictionary
     */
    public static int parse(byte[] bytes, int from, int to, int before) {
        int priority = before;
        int at = skipBlanks(bytes, from, to);
        while (at < to) {
            int key = at;
            while (at < to && isKey(bytes[at], at == key)) {
                at++;
            }
            int keyEnd = at;
            int value = at < to && bytes[at] == '=' ? at + 1 : at;
            at = endOfMember(bytes, at, to);
            if (keyEnd == key || at < 0) {
                return NONE;
            }
            if (keyEnd - key == 1) {
                priority = member(bytes[key], bytes, value, endOfValue(bytes, value, at), priority);
            }
            at = skipBlanks(bytes, at, to);
            if (at == to) {
                return priority;
            }
            if (bytes[at] != ',') {
                return NONE;
            }
            at = skipBlanks(bytes, at + 1, to);
            if (at == to) {
                return NONE; // nothing behind the comma
            }
        }
        return priority;
    }

    private static int member(byte key, byte[] bytes, int from, int to, int before) {
        if (key == 'u') {
            int urgency = number(bytes, from, to);
            return urgency < 0 || urgency > MOST_URGENCY ? before : urgency << 1 | (before & 1);
        }
        if (key != 'i') {
            return before;
        }
        if (from == to || bytes[from - 1] != '=') {
            return before | 1;
        }
        boolean isBoolean = to - from == 2 && bytes[from] == '?' && (bytes[from + 1] == '0' || bytes[from + 1] == '1');
        return isBoolean ? (before & ~1) | (bytes[from + 1] - '0') : before;
    }

    private static int number(byte[] bytes, int from, int to) {
        if (from == to || to - from > MOST_DIGITS) {
            return NONE;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return NONE;
            }
            number = Math.min(MOST_URGENCY + 1, number * 10 + bytes[i] - '0');
        }
        return number;
    }

    /** Where a value and its parameters end; below zero if they do not. */
    private static int endOfMember(byte[] bytes, int from, int to) {
        boolean isText = false;
        int at = from;
        while (at < to) {
            byte octet = bytes[at];
            if (isText && octet == '\\') {
                at++;
            } else if (octet == '"') {
                isText = !isText;
            } else if (!isText && (octet == ',' || isBlank(octet))) {
                return at;
            }
            at++;
        }
        return isText || at > to ? NONE : at;
    }

    /** Where its parameters begin, or the end. */
    private static int endOfValue(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != ';') {
            at++;
        }
        return at;
    }

    private static boolean isKey(byte octet, boolean isFirst) {
        return (octet >= 'a' && octet <= 'z')
                || octet == '*'
                || (!isFirst && ((octet >= '0' && octet <= '9') || octet == '_' || octet == '-' || octet == '.'));
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    private static int skipBlanks(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }
}

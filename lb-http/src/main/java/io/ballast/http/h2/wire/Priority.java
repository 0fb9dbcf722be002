package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;

/**
 * The priority of a response (RFC 9218 section 4) as one number: twice the urgency, plus one for an incremental
 * response. Lower numbers are sent first. Stateless; allocates nothing.
 */
public final class Priority {

    /** The default priority: urgency 3, not incremental. */
    public static final int DEFAULT = 3 << 1;

    /** Result for a value that cannot be parsed. */
    public static final int NONE = -1;

    private static final int MAX_URGENCY = 7;
    private static final int MAX_DIGITS = 15;

    private Priority() {}

    /**
     * Whether a response is incremental, so that it shares the connection with other responses of the same
     * urgency.
     */
    public static boolean isIncremental(int priority) {
        return (priority & 1) != 0;
    }

    /** Formats a priority as the value of the {@code priority} field. */
    public static byte[] text(int priority) {
        return ByteClasses.ascii("u=" + (priority >> 1) + (isIncremental(priority) ? ", i" : ""));
    }

    /**
     * Parses the value of a {@code priority} field, which is a dictionary (RFC 8941 section 3.2). Ignores unknown keys
     * and invalid values. Missing keys keep their values in {@code before}.
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
                return NONE; // a dictionary must not end with a comma
            }
        }
        return priority;
    }

    private static int member(byte key, byte[] bytes, int from, int to, int before) {
        if (key == 'u') {
            int urgency = number(bytes, from, to);
            return urgency < 0 || urgency > MAX_URGENCY ? before : urgency << 1 | (before & 1);
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
        if (from == to || to - from > MAX_DIGITS) {
            return NONE;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return NONE;
            }
            number = Math.min(MAX_URGENCY + 1, number * 10 + bytes[i] - '0');
        }
        return number;
    }

    /** Returns the end offset of a dictionary member with its parameters; negative for an unterminated string. */
    private static int endOfMember(byte[] bytes, int from, int to) {
        boolean isText = false;
        int at = from;
        while (at < to) {
            byte b = bytes[at];
            if (isText && b == '\\') {
                at++;
            } else if (b == '"') {
                isText = !isText;
            } else if (!isText && (b == ',' || isBlank(b))) {
                return at;
            }
            at++;
        }
        return isText || at > to ? NONE : at;
    }

    /** Returns the offset of the parameters that follow a value; {@code to} if there are none. */
    private static int endOfValue(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != ';') {
            at++;
        }
        return at;
    }

    private static boolean isKey(byte b, boolean isFirst) {
        return (b >= 'a' && b <= 'z')
                || b == '*'
                || (!isFirst && ((b >= '0' && b <= '9') || b == '_' || b == '-' || b == '.'));
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static int skipBlanks(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isBlank(bytes[at])) {
            at++;
        }
        return at;
    }
}

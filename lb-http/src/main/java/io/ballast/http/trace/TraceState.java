package io.ballast.http.trace;

import io.ballast.http.bytes.ByteAppender;

/**
 * The header {@code tracestate} (<a href="https://www.w3.org/TR/trace-context/#tracestate-header">W3C Trace Context,
 * section 3.3</a>), which tracing systems use for data of their own. Ballast adds no member. Keeps at most {@value
 * #MAX_BYTES} bytes: members that exceed them are dropped from the end (section 3.3.1.5). Event-loop confined.
 */
public final class TraceState {

    /** The maximum number of bytes; the specification requires that at least this many are passed on. */
    public static final int MAX_BYTES = 512;

    private static final int MAX_MEMBERS = 32;
    private static final int MAX_KEY_BYTES = 256;
    private static final int MAX_VALUE_BYTES = 256;

    private final ByteAppender members = new ByteAppender();
    private final int[] keyStarts = new int[MAX_MEMBERS];
    private final int[] keyLengths = new int[MAX_MEMBERS];
    private int count;
    /** Whether a member did not fit, so that no further member may be added. */
    private boolean full;

    TraceState() {}

    void clear() {
        members.clear();
        count = 0;
        full = false;
    }

    /**
     * Adds the members of one header line; the lines of a request are combined in their order.
     *
     * @return false if the line is invalid; the whole state is then empty, and no further line may be added
     */
    public boolean add(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == ',') {
                if (!addMember(bytes, start, i)) {
                    clear();
                    return false;
                }
                start = i + 1;
            }
        }
        return true;
    }

    private boolean addMember(byte[] bytes, int memberStart, int memberEnd) {
        int from = memberStart;
        int to = memberEnd;
        while (from < to && isBlank(bytes[from])) {
            from++;
        }
        while (to > from && isBlank(bytes[to - 1])) {
            to--;
        }
        if (from == to) {
            return true; // empty members are allowed
        }
        int equals = from;
        while (equals < to && bytes[equals] != '=') {
            equals++;
        }
        if (count == MAX_MEMBERS
                || equals == to
                || !isKey(bytes, from, equals)
                || !isValue(bytes, equals + 1, to)
                || isDuplicate(bytes, from, equals)) {
            return false;
        }
        append(bytes, from, equals, to);
        return true;
    }

    private void append(byte[] bytes, int from, int equals, int to) {
        int separator = members.length() == 0 ? 0 : 1;
        full |= members.length() + separator + to - from > MAX_BYTES;
        if (full) {
            return;
        }
        if (separator == 1) {
            members.append((byte) ',');
        }
        keyStarts[count] = members.length();
        keyLengths[count] = equals - from;
        count++;
        members.append(bytes, from, to);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isKey(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 0 || length > MAX_KEY_BYTES || !isLetterOrDigit(bytes[from])) {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (!isLetterOrDigit(b) && b != '_' && b != '-' && b != '*' && b != '/' && b != '@') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9');
    }

    private static boolean isValue(byte[] bytes, int from, int to) {
        if (from == to || to - from > MAX_VALUE_BYTES) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] < ' ' || bytes[i] > '~' || bytes[i] == '=') {
                return false;
            }
        }
        return true;
    }

    private boolean isDuplicate(byte[] bytes, int from, int to) {
        for (int i = 0; i < count; i++) {
            if (keyLengths[i] == to - from && equalsKept(keyStarts[i], bytes, from, to)) {
                return true;
            }
        }
        return false;
    }

    private boolean equalsKept(int kept, byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (members.bytes()[kept + i - from] != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** The valid members, separated by commas; empty for none. */
    ByteAppender members() {
        return members;
    }
}

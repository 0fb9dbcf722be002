package io.ballast.http.trace;

import io.ballast.http.bytes.ByteAppender;

/**
 * The header {@code traceparent} (<a href="https://www.w3.org/TR/trace-context/#traceparent-header">W3C Trace Context,
 * section 3.2</a>):
 *
 * <pre>
 *   00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *   version, trace id, parent id, flags
 * </pre>
 *
 * Stateless; allocates nothing, except for a new line.
 */
public final class TraceParent {

    private static final int VERSION_DIGITS = 2;
    private static final int TRACE_ID = 3;
    private static final int PARENT_ID = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;
    private static final int ID_DIGITS = 16;
    static final int TRACE_ID_DIGITS = 2 * ID_DIGITS;
    private static final int SAMPLED = 1;
    private static final int INVALID_VERSION = 0xFF;
    private static final String NAME = "traceparent: ";
    private static final String EMPTY_LINE = NAME + "00-00000000000000000000000000000000-0000000000000000-00" + "\r\n";

    private TraceParent() {}

    /**
     * Whether the value in {@code bytes[from, to)} is valid. A value of a future version is valid if it begins like one
     * of version 00 (section 4.3.2).
     */
    public static boolean isValid(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < LENGTH
                || !isHex(bytes, from, VERSION_DIGITS)
                || bytes[from + TRACE_ID - 1] != '-'
                || !isHex(bytes, from + TRACE_ID, TRACE_ID_DIGITS)
                || bytes[from + PARENT_ID - 1] != '-'
                || !isHex(bytes, from + PARENT_ID, ID_DIGITS)
                || bytes[from + FLAGS - 1] != '-'
                || !isHex(bytes, from + FLAGS, 2)) {
            return false;
        }
        int version = (int) hex(bytes, from, VERSION_DIGITS);
        boolean ends = version == 0 ? length == LENGTH : length == LENGTH || bytes[from + LENGTH] == '-';
        return ends
                && version != INVALID_VERSION
                && (traceIdHigh(bytes, from) | traceIdLow(bytes, from)) != 0
                && parentId(bytes, from) != 0;
    }

    /** The upper half of the trace id of a valid value at {@code from}. */
    public static long traceIdHigh(byte[] bytes, int from) {
        return hex(bytes, from + TRACE_ID, ID_DIGITS);
    }

    /** The lower half of the trace id of a valid value at {@code from}. */
    public static long traceIdLow(byte[] bytes, int from) {
        return hex(bytes, from + TRACE_ID + ID_DIGITS, ID_DIGITS);
    }

    /** Returns the parent id, which is the id of the sender's span, of the valid value at {@code from}. */
    public static long parentId(byte[] bytes, int from) {
        return hex(bytes, from + PARENT_ID, ID_DIGITS);
    }

    /** Whether the sender of a valid value at {@code from} may have recorded the trace. */
    public static boolean isSampled(byte[] bytes, int from) {
        return (hex(bytes, from + FLAGS, 2) & SAMPLED) != 0;
    }

    /** Returns a header line, which {@link #write} fills in. */
    static byte[] newLine() {
        byte[] line = new byte[EMPTY_LINE.length()];
        for (int i = 0; i < line.length; i++) {
            line[i] = (byte) EMPTY_LINE.charAt(i);
        }
        return line;
    }

    /** Writes the ids and the flag into a line. */
    static void write(long high, long low, long spanId, boolean sampled, byte[] line) {
        int value = NAME.length();
        ByteAppender.writeHex(high, ID_DIGITS, line, value + TRACE_ID);
        ByteAppender.writeHex(low, ID_DIGITS, line, value + TRACE_ID + ID_DIGITS);
        ByteAppender.writeHex(spanId, ID_DIGITS, line, value + PARENT_ID);
        line[value + FLAGS + 1] = (byte) (sampled ? '1' : '0');
    }

    /** Writes a trace id as {@value #TRACE_ID_DIGITS} hexadecimal digits. */
    static void writeId(long high, long low, byte[] target) {
        ByteAppender.writeHex(high, ID_DIGITS, target, 0);
        ByteAppender.writeHex(low, ID_DIGITS, target, ID_DIGITS);
    }

    /** Accepts digits in lower case only, as the specification requires. */
    private static boolean isHex(byte[] bytes, int from, int digits) {
        for (int i = from; i < from + digits; i++) {
            boolean digit = bytes[i] >= '0' && bytes[i] <= '9';
            if (!digit && (bytes[i] < 'a' || bytes[i] > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static long hex(byte[] bytes, int from, int digits) {
        long value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = bytes[i] <= '9' ? bytes[i] - '0' : bytes[i] - 'a' + 10;
            value = value << 4 | digit;
        }
        return value;
    }
}

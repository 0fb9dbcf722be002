package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import org.jspecify.annotations.Nullable;

/** Checks of HTTP/2 fields before they are forwarded in HTTP/1.1 (RFC 9113 section 8.2). */
public final class FieldRules {

    /** Bytes added to the name and value to get the size of a field (RFC 9113 section 10.5.1). */
    public static final int FIELD_OVERHEAD = 32;

    private static final byte[][] CONNECTION_SPECIFIC_FIELDS = {
        ByteClasses.ascii("connection"),
        ByteClasses.ascii("proxy-connection"),
        ByteClasses.ascii("keep-alive"),
        ByteClasses.ascii("transfer-encoding"),
        ByteClasses.ascii("upgrade")
    };
    private static final byte[] TE = ByteClasses.ascii("te");
    private static final byte[] TRAILERS = ByteClasses.ascii("trailers");

    private FieldRules() {}

    /** Returns the fault of a regular field (not a pseudo-header); null if it may be forwarded. */
    public static @Nullable HeadError fault(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        if (!isName(names, from, to)) {
            return HeadError.MALFORMED_HEADER;
        }
        if (isConnectionSpecific(names, from, to, values, valueFrom, valueTo)) {
            return HeadError.FOR_ONE_CONNECTION;
        }
        return valueFault(values, valueFrom, valueTo);
    }

    /** Returns the syntax fault in the name or value of a trailer; null if there is none. */
    public static @Nullable HeadError faultOfTrailer(
            byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        return isName(names, from, to) ? valueFault(values, valueFrom, valueTo) : HeadError.MALFORMED_HEADER;
    }

    private static @Nullable HeadError valueFault(byte[] values, int from, int to) {
        if (isValue(values, from, to)) {
            return null;
        }
        boolean blank = isBlank(values[from]) || isBlank(values[to - 1]);
        return blank ? HeadError.BLANK_AROUND_VALUE : HeadError.CONTROL_CHARACTER;
    }

    /** Whether the name is a token without upper-case letters. */
    private static boolean isName(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if (!ByteClasses.isToken(b) || (b >= 'A' && b <= 'Z')) {
                return false;
            }
        }
        return to > from;
    }

    /** Whether the value has no control character except HTAB, and no white space at either end. */
    private static boolean isValue(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            if ((b >= 0 && b < ' ' && b != '\t') || b == 0x7f) {
                return false;
            }
        }
        return from == to || (!isBlank(bytes[from]) && !isBlank(bytes[to - 1]));
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Whether the field is connection-specific, which HTTP/2 forbids (RFC 9113 section 8.2.2). */
    private static boolean isConnectionSpecific(
            byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        int length = to - from;
        if (length == TE.length && ByteClasses.equalsIgnoreCase(names, from, to, TE)) {
            return !ByteClasses.equalsIgnoreCase(values, valueFrom, valueTo, TRAILERS);
        }
        if (length < 7 || length > 17) {
            return false;
        }
        for (byte[] name : CONNECTION_SPECIFIC_FIELDS) {
            if (ByteClasses.equalsIgnoreCase(names, from, to, name)) {
                return true;
            }
        }
        return false;
    }
}

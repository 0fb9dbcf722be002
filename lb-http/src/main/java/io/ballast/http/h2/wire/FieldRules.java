package io.ballast.http.h2.wire;

import io.ballast.http.head.HeadFault;
import io.ballast.http.head.Octets;
import org.jspecify.annotations.Nullable;

/** What a field of HTTP/2 must be like before it may be passed on in another notation (RFC 9113 section 8.2). */
public final class FieldRules {

    /** What a field counts besides its octets (RFC 9113 section 10.5.1). */
    public static final int FIELD_OVERHEAD = 32;

    private static final byte[][] FOR_CONNECTION = {
        Octets.ascii("connection"),
        Octets.ascii("proxy-connection"),
        Octets.ascii("keep-alive"),
        Octets.ascii("transfer-encoding"),
        Octets.ascii("upgrade")
    };
    private static final byte[] TE = Octets.ascii("te");
    private static final byte[] TRAILERS = Octets.ascii("trailers");

    private FieldRules() {}

    /** What is wrong with a field that is no pseudo-header; null if it may be passed on. */
    public static @Nullable HeadFault fault(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        if (!isName(names, from, to)) {
            return HeadFault.MALFORMED_HEADER;
        }
        if (isForConnection(names, from, to, values, valueFrom, valueTo)) {
            return HeadFault.FOR_ONE_CONNECTION;
        }
        return valueFault(values, valueFrom, valueTo);
    }

    /** What is wrong with the name or the value of a trailer, whatever it means; null for nothing. */
    public static @Nullable HeadFault faultOfTrailer(
            byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        return isName(names, from, to) ? valueFault(values, valueFrom, valueTo) : HeadFault.MALFORMED_HEADER;
    }

    private static @Nullable HeadFault valueFault(byte[] values, int from, int to) {
        if (isValue(values, from, to)) {
            return null;
        }
        boolean blank = isBlank(values[from]) || isBlank(values[to - 1]);
        return blank ? HeadFault.BLANK_AROUND_VALUE : HeadFault.CONTROL_CHARACTER;
    }

    /** A token without capital letters. */
    private static boolean isName(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte octet = bytes[i];
            if (!Octets.isToken(octet) || (octet >= 'A' && octet <= 'Z')) {
                return false;
            }
        }
        return to > from;
    }

    /** No control character but HTAB, and no white space at either end. */
    private static boolean isValue(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            byte octet = bytes[i];
            if ((octet >= 0 && octet < ' ' && octet != '\t') || octet == 0x7f) {
                return false;
            }
        }
        return from == to || (!isBlank(bytes[from]) && !isBlank(bytes[to - 1]));
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    /** Whether the field concerns one connection only, which HTTP/2 has other means for (RFC 9113 section 8.2.2). */
    private static boolean isForConnection(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        int length = to - from;
        if (length == TE.length && Octets.equalsIgnoreCase(names, from, to, TE)) {
            return !Octets.equalsIgnoreCase(values, valueFrom, valueTo, TRAILERS);
        }
        if (length < 7 || length > 17) {
            return false;
        }
        for (byte[] name : FOR_CONNECTION) {
            if (Octets.equalsIgnoreCase(names, from, to, name)) {
                return true;
            }
        }
        return false;
    }
}

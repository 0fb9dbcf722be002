package io.ballast.http.route.key;

import io.ballast.http.route.request.RoutedRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds a cookie of a request (RFC 6265 section 4.2.1). Names and values are taken as sent, including quotes. */
public final class Cookies {

    /** The result if there is no such cookie. */
    public static final long NONE = -1;

    private static final byte[] HEADER = "cookie".getBytes(StandardCharsets.US_ASCII);

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = 0x8080_8080_8080_8080L;
    private static final long SEMICOLONS = ';' * LOWEST_BITS;

    private Cookies() {}

    /**
     * Returns the range of the value of the first cookie with a name, to be read with {@link #from} and
     * {@link #to}; {@link #NONE} if there is no such cookie.
     */
    public static long find(RoutedRequest request, byte[] name) {
        for (int line = request.headerLine(HEADER, 0); line >= 0; line = request.headerLine(HEADER, line + 1)) {
            long range = find(request.bytes(), request.headerStart(line), request.headerEnd(line), name);
            if (range != NONE) {
                return range;
            }
        }
        return NONE;
    }

    /** Whether a request has several cookies with a name. Different servers may then use different cookies. */
    public static boolean isRepeated(RoutedRequest request, byte[] name) {
        boolean isFound = false;
        for (int line = request.headerLine(HEADER, 0); line >= 0; line = request.headerLine(HEADER, line + 1)) {
            int end = request.headerEnd(line);
            long range = find(request.bytes(), request.headerStart(line), end, name);
            if (range != NONE && (isFound || find(request.bytes(), to(range), end, name) != NONE)) {
                return true;
            }
            isFound |= range != NONE;
        }
        return false;
    }

    /** The start of the cookie value in a range that {@link #find} returned. */
    public static int from(long range) {
        return (int) (range >>> 32);
    }

    /** The end of the value. */
    public static int to(long range) {
        return (int) range;
    }

    private static long find(byte[] bytes, int from, int to, byte[] name) {
        int position = from;
        while (position < to) {
            while (position < to && isBlank(bytes[position])) {
                position++;
            }
            int end = semicolon(bytes, position, to);
            int value = position + name.length + 1;
            if (value <= end
                    && bytes[value - 1] == '='
                    && Arrays.equals(name, 0, name.length, bytes, position, value - 1)) {
                return range(bytes, value, end);
            }
            position = end + 1;
        }
        return NONE;
    }

    /**
     * Returns the position of the next semicolon, or {@code to}. Compares eight bytes at a time, as cookies may be
     * long.
     */
    private static int semicolon(byte[] bytes, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long difference = (long) LONG.get(bytes, at) ^ SEMICOLONS;
            long zeros = (difference - LOWEST_BITS) & ~difference & HIGHEST_BITS;
            if (zeros != 0) {
                return at + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
            }
        }
        while (at < to && bytes[at] != ';') {
            at++;
        }
        return at;
    }

    private static long range(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && isBlank(bytes[end - 1])) {
            end--;
        }
        return ((long) from << 32) | end;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}

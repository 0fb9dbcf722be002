package io.ballast.http.head;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scans the header lines of a head (RFC 9112 section 5) in one pass and stores the offsets of each line. It
 * is the common base class of {@link RequestScanner} and {@link ResponseScanner}, which scan the start
 * lines.
 *
 * <p>Header names are tokens. Values contain no control character except HTAB. Every line ends with CRLF.
 * There is no folding, and no whitespace before the colon except in responses. Framing is checked in the
 * same pass: at most one {@code Content-Length}, digits only, or one {@code Transfer-Encoding: chunked};
 * never both, except in responses without a body.
 *
 * <p>Event-loop confined. Cost: about 1 ns per byte; values are scanned eight bytes at a time. Allocates
 * nothing unless a head has more lines than all earlier heads.
 */
public abstract class FieldScanner {

    /** The number of bytes that must be readable after the end of a scanned range; their values do not matter. */
    public static final int SLACK = 8;

    public static final long NO_LENGTH = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final byte[] CHUNKED = ByteClasses.ascii("chunked");
    private static final byte[] CLOSE = ByteClasses.ascii("close");
    private static final byte[] KEEP_ALIVE = ByteClasses.ascii("keep-alive");
    private static final byte[] TRAILERS = ByteClasses.ascii("trailers");

    public byte[] bytes = new byte[0];
    public int count;
    public int[] lineStart = new int[64];
    public int[] nameEnd = new int[64];
    public int[] valueStart = new int[64];
    public int[] valueEnd = new int[64];

    public @Nullable HeaderName[] names = new HeaderName[64];

    /** Offset of the first byte after the head. */
    public int end;
    /** Offset of the first header line, after the start line. */
    public int fieldsStart;

    public long contentLength;
    public boolean chunked;
    public boolean connectionClose;
    boolean connectionKeepAlive;
    /** Whether a {@code Connection} header names anything besides {@code close} and {@code keep-alive}. */
    public boolean hasConnectionOptions;
    /** Whether any line is hop-by-hop. */
    public boolean hasHopByHop;

    public boolean hasForwarding;

    /** Whether the client waits for a 100 response before it sends the body (RFC 9110 section 10.1.1). */
    public boolean hasExpect;

    public boolean hasUpgrade;
    public boolean hasDate;
    /** Whether any name contains an underscore. */
    public boolean hasUnderscore;
    /** Whether any line has blanks between its name and the colon. */
    public boolean hasBlankBeforeColon;

    /**
     * Whether any line with a known name has an unusual form: blanks other than one space before the value, blanks
     * after the value, or leading zeros in a length. Parsers interpret such forms differently, so these lines are
     * normalized before they are forwarded.
     */
    public boolean hasIrregular;

    public int hostLine;
    public int minorVersion;

    public @Nullable HeadError fault;

    final void reset(byte[] source) {
        bytes = source;
        count = 0;
        contentLength = NO_LENGTH;
        chunked = false;
        connectionClose = false;
        connectionKeepAlive = false;
        hasConnectionOptions = false;
        hasHopByHop = false;
        hasForwarding = false;
        hasExpect = false;
        hasUpgrade = false;
        hasDate = false;
        hasUnderscore = false;
        hasIrregular = false;
        hasBlankBeforeColon = false;
        hostLine = -1;
        fault = null;
    }

    public final ScanResult reject(HeadError why) {
        fault = why;
        return ScanResult.REJECTED;
    }

    /** Scans header lines from {@code at} up to and including the empty line. */
    final ScanResult scanFields(int at, int limit, HeadLimits limits) {
        fieldsStart = at;
        int position = at;
        while (true) {
            if (position >= limit) {
                return incomplete(limit, limits);
            }
            if (bytes[position] == ByteClasses.CR) {
                return endOfFields(position, limit, limits);
            }
            int start = position;
            while (position < limit && ByteClasses.isTokenButUnderscore(bytes[position])) {
                position++;
            }
            if (position < limit && bytes[position] == '_') {
                hasUnderscore = true;
                position = endOfToken(position, limit);
            }
            if (position == limit) {
                return unfinishedLine(start, limit, limits);
            }
            int nameTo = position;
            if (isBlank(bytes[position]) && position > start && allowsBlankBeforeColon()) {
                position = endOfBlanks(position, limit);
                if (position == limit) {
                    return unfinishedLine(start, limit, limits);
                }
                hasBlankBeforeColon |= bytes[position] == ':';
            }
            if (bytes[position] != ':' || position == start) {
                return reject(faultOfName(position, start, limit));
            }
            int colon = position;
            int lineEnd = endOfValue(position + 1, limit);
            if (lineEnd < 0) {
                return fault == null ? unfinishedLine(start, limit, limits) : ScanResult.REJECTED;
            }
            if (lineEnd - start > limits.header()) {
                return reject(HeadError.HEADER_TOO_LONG);
            }
            if (count == limits.headers()) {
                return reject(HeadError.TOO_MANY_HEADERS);
            }
            if (!add(start, nameTo, colon, lineEnd)) {
                return ScanResult.REJECTED;
            }
            position = lineEnd + 2;
        }
    }

    private int endOfToken(int from, int limit) {
        int position = from;
        while (position < limit && ByteClasses.isToken(bytes[position])) {
            position++;
        }
        return position;
    }

    private int endOfBlanks(int from, int limit) {
        int position = from;
        while (position < limit && isBlank(bytes[position])) {
            position++;
        }
        return position;
    }

    /** Whether blanks are allowed between a name and its colon. */
    boolean allowsBlankBeforeColon() {
        return false;
    }

    /** Whether a head may contain both {@code Content-Length} and {@code Transfer-Encoding}. */
    boolean allowsLengthBesideChunked() {
        return false;
    }

    private ScanResult endOfFields(int position, int limit, HeadLimits limits) {
        if (position + 1 >= limit) {
            return incomplete(limit, limits);
        }
        if (bytes[position + 1] != ByteClasses.LF) {
            return reject(HeadError.BARE_LINE_END);
        }
        end = position + 2;
        if (end > limits.head()) {
            return reject(HeadError.HEAD_TOO_LONG);
        }
        if (chunked && contentLength != NO_LENGTH && !allowsLengthBesideChunked()) {
            return reject(HeadError.LENGTH_AND_TRANSFER_ENCODING);
        }
        return ScanResult.COMPLETE;
    }

    private ScanResult unfinishedLine(int start, int limit, HeadLimits limits) {
        // The last byte may be the CR of a line at the length limit.
        return limit - start > limits.header() + 1 ? reject(HeadError.HEADER_TOO_LONG) : incomplete(limit, limits);
    }

    private ScanResult incomplete(int limit, HeadLimits limits) {
        return limit >= limits.head() ? reject(HeadError.HEAD_TOO_LONG) : ScanResult.INCOMPLETE;
    }

    private HeadError faultOfName(int position, int start, int limit) {
        byte found = bytes[position];
        if (position == start && (found == ByteClasses.SPACE || found == ByteClasses.TAB)) {
            return HeadError.FOLDED_HEADER;
        }
        boolean endsLine = found == ByteClasses.CR && (position + 1 == limit || bytes[position + 1] == ByteClasses.LF);
        if (endsLine) {
            return HeadError.MISSING_COLON;
        }
        return found == ByteClasses.LF || found == ByteClasses.CR
                ? HeadError.BARE_LINE_END
                : HeadError.MALFORMED_HEADER;
    }

    /**
     * The offset of the CRLF that ends the line, or -1 if it has not arrived or the value is invalid. Checks eight
     * bytes at once for control characters: {@code (x - n) & ~x & 0x80} marks bytes below n, and the lowest mark is
     * always exact.
     */
    private int endOfValue(int from, int limit) {
        int position = from;
        while (position < limit) {
            long word = (long) LONGS.get(bytes, position);
            long deletes = word ^ (ONES * 0x7f);
            long marks = (((word - ONES * 0x20) & ~word) | ((deletes - ONES) & ~deletes)) & HIGHS;
            if (marks == 0) {
                position += 8;
                continue;
            }
            position += Long.numberOfTrailingZeros(marks) >>> 3;
            if (position >= limit) {
                return -1;
            }
            byte found = bytes[position];
            if (found == ByteClasses.TAB) {
                position++;
                continue;
            }
            if (found != ByteClasses.CR) {
                fault = found == ByteClasses.LF ? HeadError.BARE_LINE_END : HeadError.CONTROL_CHARACTER;
                return -1;
            }
            if (position + 1 >= limit) {
                return -1;
            }
            if (bytes[position + 1] != ByteClasses.LF) {
                fault = HeadError.BARE_LINE_END;
                return -1;
            }
            return position;
        }
        return -1;
    }

    private boolean add(int start, int nameTo, int colon, int lineEnd) {
        int from = colon + 1;
        int to = lineEnd;
        while (from < to && isBlank(bytes[from])) {
            from++;
        }
        while (to > from && isBlank(bytes[to - 1])) {
            to--;
        }
        if (count == lineStart.length) {
            grow();
        }
        HeaderName name = HeaderName.of(bytes, start, nameTo);
        lineStart[count] = start;
        nameEnd[count] = nameTo;
        valueStart[count] = from;
        valueEnd[count] = to;
        names[count] = name;
        if (name != null) {
            if (!interpretField(name, from, to)) {
                return false;
            }
            hasIrregular |= to < lineEnd || valueStart[count] > usualStart(count);
        }
        count++;
        return true;
    }

    /** The offset at which the value of a line would start if it followed the colon and at most one space. */
    private int usualStart(int line) {
        int afterColon = nameEnd[line] + 1;
        while (bytes[afterColon - 1] != ':') {
            afterColon++; // blanks before the colon are allowed only in responses
        }
        return valueStart[line] > afterColon && bytes[afterColon] == ByteClasses.SPACE ? afterColon + 1 : afterColon;
    }

    /**
     * Reports the ranges of a header line that parsers interpret differently: see {@link #hasIrregular}. The line
     * must have a known name.
     *
     * @param excluded receives the ranges to exclude, in ascending order
     */
    public final void excludeIrregular(int line, RangeRecipient excluded) {
        int usual = usualStart(line);
        if (valueStart[line] > usual) {
            excluded.add(usual, valueStart[line]);
        }
        int lineEnd = lineLimit(line) - 2;
        if (valueEnd[line] < lineEnd) {
            excluded.add(valueEnd[line], lineEnd);
        }
    }

    /** Receives ranges of the scanned bytes. */
    @FunctionalInterface
    public interface RangeRecipient {
        void add(int from, int to);
    }

    private boolean interpretField(HeaderName name, int from, int to) {
        hasHopByHop |= name.kind == HeaderName.Kind.HOP_BY_HOP;
        hasForwarding |= name.kind == HeaderName.Kind.FORWARDING;
        switch (name) {
            case HOST -> {
                if (hostLine >= 0) {
                    fault = HeadError.DUPLICATE_HOST;
                }
                hostLine = count;
            }
            case CONTENT_LENGTH -> parseContentLength(from, to);
            case TRANSFER_ENCODING -> parseTransferEncoding(from, to);
            case CONNECTION -> parseConnection(from, to);
            case EXPECT -> hasExpect = true;
            case UPGRADE -> hasUpgrade = true;
            case DATE -> hasDate = true;
            default -> {}
        }
        return fault == null;
    }

    private void parseContentLength(int from, int to) {
        if (contentLength != NO_LENGTH) {
            fault = HeadError.DUPLICATE_CONTENT_LENGTH;
            return;
        }
        // 18 digits always fit a long.
        if (from == to || to - from > 18) {
            fault = HeadError.MALFORMED_CONTENT_LENGTH;
            return;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                fault = HeadError.MALFORMED_CONTENT_LENGTH;
                return;
            }
            value = value * 10 + digit;
        }
        contentLength = value;
        int significant = from;
        while (significant < to - 1 && bytes[significant] == '0') {
            significant++;
        }
        valueStart[count] = significant;
    }

    private void parseTransferEncoding(int from, int to) {
        if (chunked) {
            fault = HeadError.MALFORMED_TRANSFER_ENCODING;
        } else if (minorVersion == 0) {
            fault = HeadError.TRANSFER_ENCODING_IN_HTTP_1_0;
        } else if (ByteClasses.equalsIgnoreCase(bytes, from, to, CHUNKED)) {
            chunked = true;
            // The coding is forwarded in lower case, because some parsers are case-sensitive.
            hasIrregular |= !Arrays.equals(bytes, from, to, CHUNKED, 0, CHUNKED.length);
            System.arraycopy(CHUNKED, 0, bytes, from, CHUNKED.length);
        } else {
            // A Transfer-Encoding list that ends in chunked is valid, but Ballast supports no other coding in the list.
            int last = to - CHUNKED.length;
            boolean endsChunked = last > from && ByteClasses.equalsIgnoreCase(bytes, last, to, CHUNKED);
            boolean listsChunkedBefore = contains(CHUNKED, from, endsChunked ? last : to);
            fault = listsChunkedBefore || from == to
                    ? HeadError.MALFORMED_TRANSFER_ENCODING
                    : HeadError.UNKNOWN_TRANSFER_ENCODING;
        }
    }

    private boolean contains(byte[] lowerCase, int from, int to) {
        for (int i = from; i + lowerCase.length <= to; i++) {
            if (ByteClasses.equalsIgnoreCase(bytes, i, i + lowerCase.length, lowerCase)) {
                return true;
            }
        }
        return false;
    }

    private void parseConnection(int from, int to) {
        int position = from;
        while (position < to) {
            while (position < to && (bytes[position] == ',' || isBlank(bytes[position]))) {
                position++;
            }
            int start = position;
            while (position < to && ByteClasses.isToken(bytes[position])) {
                position++;
            }
            if (position == start && position < to) {
                fault = HeadError.MALFORMED_HEADER;
                return;
            }
            if (ByteClasses.equalsIgnoreCase(bytes, start, position, CLOSE)) {
                connectionClose = true;
            } else if (ByteClasses.equalsIgnoreCase(bytes, start, position, KEEP_ALIVE)) {
                connectionKeepAlive = true;
            } else if (position > start) {
                hasConnectionOptions = true;
            }
        }
    }

    /** Whether a {@code Connection} header names header line {@code line}, which is therefore hop-by-hop. */
    public final boolean isConnectionOption(int line) {
        for (int i = 0; i < count; i++) {
            if (names[i] == HeaderName.CONNECTION && connectionListContains(i, line)) {
                return true;
            }
        }
        return false;
    }

    /** The index of the only line with this name; -1 if there is none, or more than one. */
    public final int onlyLine(HeaderName name) {
        int found = -1;
        for (int i = 0; i < count; i++) {
            if (names[i] == name) {
                if (found >= 0) {
                    return -1;
                }
                found = i;
            }
        }
        return found;
    }

    /** Whether line {@code line} is a {@code TE} header whose only value is {@code trailers}. */
    public final boolean isTeTrailers(int line) {
        return names[line] == HeaderName.TE
                && ByteClasses.equalsIgnoreCase(bytes, valueStart[line], valueEnd[line], TRAILERS);
    }

    private boolean connectionListContains(int connectionLine, int line) {
        int position = valueStart[connectionLine];
        int to = valueEnd[connectionLine];
        while (position < to) {
            int start = position;
            while (position < to && ByteClasses.isToken(bytes[position])) {
                position++;
            }
            if (ByteClasses.sameIgnoreCase(bytes, start, position, lineStart[line], nameEnd[line])) {
                return true;
            }
            position++;
        }
        return false;
    }

    /** Offset of the colon of line {@code line}, which is the end of its name unless blanks follow the name. */
    public final int colon(int line) {
        return endOfBlanks(nameEnd[line], end);
    }

    /** Offset of the first byte after line {@code line}, its CRLF included. */
    public final int lineLimit(int line) {
        return line + 1 < count ? lineStart[line + 1] : end - 2;
    }

    public static boolean isBlank(byte b) {
        return b == ByteClasses.SPACE || b == ByteClasses.TAB;
    }

    private void grow() {
        int capacity = lineStart.length * 2;
        lineStart = Arrays.copyOf(lineStart, capacity);
        nameEnd = Arrays.copyOf(nameEnd, capacity);
        valueStart = Arrays.copyOf(valueStart, capacity);
        valueEnd = Arrays.copyOf(valueEnd, capacity);
        names = Arrays.copyOf(names, capacity);
    }
}

package io.ballast.http.head;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scans the head of a response: status line (RFC 9112 section 4) and header lines. Results are valid until the next
 * scan. Event-loop confined.
 */
public final class ResponseScanner extends FieldScanner {

    private static final byte[] VERSION = ByteClasses.ascii("HTTP/1.");
    /**
     * Length of the version, a space and the three-digit status: the offset of the space before the reason
     * phrase.
     */
    public static final int REASON_OFFSET = VERSION.length + 1 + 1 + 3;

    public static final int SWITCHING_PROTOCOLS = 101;

    private static final byte[] TIMEOUT = ByteClasses.ascii("timeout=");
    /** The longest timeout that is returned: one day, which is longer than any idle timeout. */
    private static final int MAX_SECONDS = 86_400;

    public int status;

    public int status() {
        return status;
    }

    /** Scans {@code source[0, limit)}, which must be readable for {@link #SLACK} bytes after the limit. */
    public ScanResult scan(byte[] source, int limit, HeadLimits limits) {
        reset(source);
        ScanResult line = scanStatusLine(limit, limits);
        return line == ScanResult.COMPLETE ? scanFields(fieldsStart, limit, limits) : line;
    }

    private ScanResult scanStatusLine(int limit, HeadLimits limits) {
        for (int i = 0; i < VERSION.length && i < limit; i++) {
            if (bytes[i] != VERSION[i]) {
                return reject(HeadError.MALFORMED_STATUS_LINE);
            }
        }
        if (limit < REASON_OFFSET + 1) {
            return ScanResult.INCOMPLETE;
        }
        int minor = bytes[VERSION.length] - '0';
        if ((minor != 0 && minor != 1) || bytes[VERSION.length + 1] != ByteClasses.SPACE) {
            return reject(HeadError.MALFORMED_STATUS_LINE);
        }
        minorVersion = minor;
        status = 0;
        for (int i = REASON_OFFSET - 3; i < REASON_OFFSET; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return reject(HeadError.MALFORMED_STATUS_LINE);
            }
            status = status * 10 + digit;
        }
        if (status < 100) { // a status above 599 counts as a server error (RFC 9110 section 15)
            return reject(HeadError.MALFORMED_STATUS_LINE);
        }
        return scanReason(limit, limits);
    }

    private ScanResult scanReason(int limit, HeadLimits limits) {
        int position = REASON_OFFSET;
        // The space before an empty reason is required, but some servers omit it. It is added for the client.
        if (bytes[position] != ByteClasses.SPACE && bytes[position] != ByteClasses.CR) {
            return reject(HeadError.MALFORMED_STATUS_LINE);
        }
        while (position < limit && bytes[position] != ByteClasses.CR) {
            byte b = bytes[position++];
            if (b == ByteClasses.LF) {
                return reject(HeadError.BARE_LINE_END);
            }
            if ((b >= 0 && b < ByteClasses.SPACE && b != ByteClasses.TAB) || b == 0x7f) {
                return reject(HeadError.CONTROL_CHARACTER);
            }
        }
        if (position > limits.startLine()) {
            return reject(HeadError.HEADER_TOO_LONG);
        }
        if (position + 1 >= limit) {
            return ScanResult.INCOMPLETE;
        }
        if (bytes[position + 1] != ByteClasses.LF) {
            return reject(HeadError.BARE_LINE_END);
        }
        fieldsStart = position + 2;
        return ScanResult.COMPLETE;
    }

    /** Whether the reason and the space before it are missing (RFC 9112 section 4). */
    public boolean lacksSpace() {
        return bytes[REASON_OFFSET] == ByteClasses.CR;
    }

    /**
     * Whether this response is a valid switch to {@code requested} and to no other protocol (RFC 9110 sections 7.8
     * and 15.2.2).
     */
    public boolean switchesTo(@Nullable UpgradeProtocol requested) {
        if (requested == null || status != SWITCHING_PROTOCOLS || minorVersion == 0) {
            return false;
        }
        int line = onlyLine(HeaderName.UPGRADE);
        return line >= 0
                && isConnectionOption(line)
                && requested.isNamed(bytes, valueStart[line], valueEnd[line])
                && hasExpectedAccept(requested.accept());
    }

    /** Whether {@code Sec-WebSocket-Accept} occurs once with the expected value, if one is expected. */
    private boolean hasExpectedAccept(byte @Nullable [] accept) {
        if (accept == null) {
            return true;
        }
        boolean found = false;
        for (int i = 0; i < count; i++) {
            if (ByteClasses.equalsIgnoreCase(bytes, lineStart[i], nameEnd[i], WebSocketHandshake.ACCEPT)) {
                if (found || !Arrays.equals(bytes, valueStart[i], valueEnd[i], accept, 0, accept.length)) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }

    /** A proxy must remove blanks before a colon instead of rejecting the response (RFC 9112 section 5.1). */
    @Override
    boolean allowsBlankBeforeColon() {
        return true;
    }

    /**
     * A response without a body may have both {@code Content-Length} and {@code Transfer-Encoding}, because they
     * do not frame a body: see {@link #isAmbiguous}.
     */
    @Override
    boolean allowsLengthBesideChunked() {
        return true;
    }

    /**
     * Whether the response has both a content length and chunked coding, so that recipients may disagree about
     * the end of its body.
     */
    public boolean isAmbiguous(BodyFraming framing) {
        return framing == BodyFraming.CHUNKED && contentLength != NO_LENGTH;
    }

    /** The framing of the body (RFC 9112 section 6.3). */
    public BodyFraming framing(boolean toHeadRequest) {
        if (toHeadRequest || status == 204 || status == 304) {
            return BodyFraming.NONE;
        }
        if (chunked) {
            return BodyFraming.CHUNKED;
        }
        return contentLength >= 0 ? BodyFraming.LENGTH : BodyFraming.UNTIL_CLOSE;
    }

    /**
     * The idle timeout of the connection in seconds, from the backend's {@code Keep-Alive} header; -1 if there is none.
     * Many servers send the header, although only an obsolete standard defines it (RFC 2068 section 19.7.1.1).
     */
    public int keepAliveSeconds() {
        int line = hasHopByHop ? onlyLine(HeaderName.KEEP_ALIVE) : -1;
        return line < 0 ? -1 : seconds(valueStart[line], valueEnd[line]);
    }

    /** The value of the parameter {@code timeout}; -1 if it is missing or not a number. */
    private int seconds(int from, int to) {
        for (int position = from; position < to; position++) {
            int valueAt = position + TIMEOUT.length;
            boolean starts = position == from || bytes[position - 1] == ',' || isBlank(bytes[position - 1]);
            if (starts && valueAt < to && ByteClasses.equalsIgnoreCase(bytes, position, valueAt, TIMEOUT)) {
                return number(valueAt, to);
            }
        }
        return -1;
    }

    private int number(int from, int to) {
        int number = 0;
        int position = from;
        while (position < to && bytes[position] >= '0' && bytes[position] <= '9' && number <= MAX_SECONDS) {
            number = number * 10 + bytes[position++] - '0';
        }
        return position == from ? -1 : Math.min(number, MAX_SECONDS);
    }

    /** Whether the backend keeps the connection open after this response (RFC 9112 section 9.3). */
    public boolean keepsAlive() {
        return minorVersion == 1 ? !connectionClose : connectionKeepAlive && !connectionClose;
    }
}

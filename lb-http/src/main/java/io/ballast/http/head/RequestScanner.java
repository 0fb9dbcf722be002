package io.ballast.http.head;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RoutedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scans the head of a request: request line (RFC 9112 section 3), header lines, and the constraints between them.
 *
 * <p>The head must start at offset 0 of the scanned array, which must be readable for {@link #SLACK} bytes after the
 * limit. The results are offsets into that array and valid until the next scan. Event-loop confined.
 */
public final class RequestScanner extends FieldScanner implements RoutedRequest {

    private static final byte[] VERSION = ByteClasses.ascii("HTTP/1.");
    private static final int MAX_PORT = 65_535;
    /** The first byte of a TLS connection (RFC 8446 section 5.1). */
    private static final byte TLS_HANDSHAKE = 22;

    private static final byte[] HTTP_SCHEME = ByteClasses.ascii("http://");
    private static final byte[] HTTPS_SCHEME = ByteClasses.ascii("https://");

    public RequestMethod method = RequestMethod.OTHER;
    public int methodEnd;
    /** The path and query, as sent: for an absolute target the part after the authority, which may be empty. */
    public int pathStart;

    public int pathEnd;
    public int targetEnd;
    /**
     * The authority of the request, from an absolute target or otherwise from {@code Host}; empty in HTTP/1.0
     * without {@code Host}.
     */
    public int authorityStart;

    public int authorityEnd;
    public boolean absoluteTarget;

    /** The path and query for the backend; null to forward them unchanged. Not set by scanning. */
    public @Nullable ByteAppender rewrittenTarget;

    /** The protocol that the request asks the backend to switch to; null for none. Not set by scanning. */
    public @Nullable UpgradeProtocol upgrade;

    /**
     * The names of headers that a policy has removed from this request, in lower case with hyphens; null for none. Not
     * set by scanning.
     */
    public @Nullable List<byte[]> removedHeaders;

    /** Whether the connection uses TLS, so that the target may have the scheme {@code https}. Set by the caller. */
    public boolean secure;

    /** Scans {@code source[0, limit)}. */
    public ScanResult scan(byte[] source, int limit, HeadLimits limits) {
        reset(source);
        absoluteTarget = false;
        rewrittenTarget = null;
        upgrade = null;
        removedHeaders = null;
        ScanResult line = scanRequestLine(limit, limits);
        if (line != ScanResult.COMPLETE) {
            return line;
        }
        ScanResult fields = scanFields(fieldsStart, limit, limits);
        return fields == ScanResult.COMPLETE ? resolveAuthority() : fields;
    }

    private ScanResult scanRequestLine(int limit, HeadLimits limits) {
        int position = 0;
        while (position < limit && ByteClasses.isToken(bytes[position])) {
            position++;
        }
        methodEnd = position;
        if (position == limit) {
            return unfinished(limit, limits);
        }
        if (position == 0 && bytes[0] == TLS_HANDSHAKE) {
            return reject(HeadError.TLS_WITHOUT_TLS);
        }
        if (bytes[position] != ByteClasses.SPACE || position == 0) {
            return reject(HeadError.MALFORMED_REQUEST_LINE);
        }
        method = RequestMethod.of(bytes, 0, position);
        int targetStart = ++position;
        while (position < limit && ByteClasses.isTarget(bytes[position])) {
            position++;
        }
        if (position == limit) {
            return unfinished(limit, limits);
        }
        if (bytes[position] != ByteClasses.SPACE || position == targetStart) {
            return reject(bytes[position] == '#' ? HeadError.MALFORMED_TARGET : HeadError.MALFORMED_REQUEST_LINE);
        }
        targetEnd = position;
        return scanVersion(position + 1, limit, limits) == ScanResult.COMPLETE && parseTarget(targetStart)
                ? ScanResult.COMPLETE
                : fault == null ? ScanResult.INCOMPLETE : ScanResult.REJECTED;
    }

    private ScanResult scanVersion(int start, int limit, HeadLimits limits) {
        int available = limit - start;
        for (int i = 0; i < VERSION.length && i < available; i++) {
            if (bytes[start + i] != VERSION[i]) {
                boolean otherMajor = i == VERSION.length - 2 && bytes[start + i] >= '0' && bytes[start + i] <= '9';
                return reject(otherMajor ? HeadError.UNSUPPORTED_VERSION : HeadError.MALFORMED_REQUEST_LINE);
            }
        }
        int lineEnd = start + VERSION.length + 1;
        if (lineEnd + 2 > limit) {
            return unfinished(limit, limits);
        }
        int minor = bytes[lineEnd - 1] - '0';
        if (minor != 0 && minor != 1) {
            boolean digit = minor > 1 && minor <= 9;
            return reject(digit ? HeadError.UNSUPPORTED_VERSION : HeadError.MALFORMED_REQUEST_LINE);
        }
        if (bytes[lineEnd] != ByteClasses.CR || bytes[lineEnd + 1] != ByteClasses.LF) {
            boolean bare = bytes[lineEnd] == ByteClasses.LF || bytes[lineEnd] == ByteClasses.CR;
            return reject(bare ? HeadError.BARE_LINE_END : HeadError.MALFORMED_REQUEST_LINE);
        }
        if (lineEnd > limits.startLine()) {
            return reject(HeadError.REQUEST_LINE_TOO_LONG);
        }
        minorVersion = minor;
        fieldsStart = lineEnd + 2;
        return ScanResult.COMPLETE;
    }

    private ScanResult unfinished(int limit, HeadLimits limits) {
        // The last byte may be the CR of a line at the length limit.
        return limit > limits.startLine() + 1 ? reject(HeadError.REQUEST_LINE_TOO_LONG) : ScanResult.INCOMPLETE;
    }

    /** Parses the target in one of the forms of RFC 9112 section 3.2. */
    private boolean parseTarget(int start) {
        pathStart = start;
        pathEnd = targetEnd;
        if (method == RequestMethod.CONNECT) {
            fault = HeadError.UNSUPPORTED_METHOD;
            return false;
        }
        if (bytes[start] == '/') {
            return true;
        }
        if (bytes[start] == '*' && targetEnd == start + 1 && method == RequestMethod.OPTIONS) {
            return true;
        }
        int schemeEnd = schemeEnd(start);
        if (schemeEnd >= 0) {
            absoluteTarget = true;
            authorityStart = schemeEnd;
            int slash = schemeEnd;
            while (slash < targetEnd && bytes[slash] != '/' && bytes[slash] != '?') {
                slash++;
            }
            authorityEnd = slash;
            pathStart = slash;
            if (isAuthority(authorityStart, authorityEnd)) {
                return true;
            }
        }
        fault = HeadError.MALFORMED_TARGET;
        return false;
    }

    /**
     * The offset of the authority in a target in absolute form. -1 for other forms, and for {@code https} on a
     * connection without TLS.
     */
    private int schemeEnd(int start) {
        int end = start + HTTP_SCHEME.length;
        if (end < targetEnd && ByteClasses.equalsIgnoreCase(bytes, start, end, HTTP_SCHEME)) {
            return end;
        }
        end = start + HTTPS_SCHEME.length;
        // RFC 9110 section 7.4: https requests must not be served over a connection without TLS.
        return secure && end < targetEnd && ByteClasses.equalsIgnoreCase(bytes, start, end, HTTPS_SCHEME) ? end : -1;
    }

    private ScanResult resolveAuthority() {
        int hostStart = 0;
        int hostEnd = 0;
        if (hostLine >= 0) {
            hostStart = valueStart[hostLine];
            hostEnd = valueEnd[hostLine];
            if (!isAuthority(hostStart, hostEnd)) {
                return reject(HeadError.MALFORMED_HOST);
            }
        } else if (minorVersion == 1) {
            return reject(HeadError.MISSING_HOST);
        }
        // RFC 9112 section 3.2.2: Host must be present and valid, but the authority of an absolute target takes
        // precedence.
        if (!absoluteTarget) {
            authorityStart = hostStart;
            authorityEnd = hostEnd;
        }
        return ScanResult.COMPLETE;
    }

    /**
     * Whether the range is a host with an optional port (RFC 3986 section 3.2), without user information.
     * Brackets may only contain an IPv6 address.
     */
    private boolean isAuthority(int from, int to) {
        int position = from;
        boolean good = from < to;
        if (good && bytes[position] == '[') {
            int colons = 0;
            while (++position < to && bytes[position] != ']') {
                byte b = bytes[position];
                colons += b == ':' ? 1 : 0;
                good &= b == ':' || b == '.' || ByteClasses.hexValue(b) >= 0;
            }
            good &= position < to && colons >= 2;
            position++;
        } else {
            while (position < to && bytes[position] != ':') {
                good &= isHostName(position++, to);
            }
            good &= position > from;
        }
        if (good && position < to) {
            good = bytes[position] == ':' && to - position <= 6;
            int port = 0;
            for (int i = position + 1; i < to && good; i++) {
                good = bytes[i] >= '0' && bytes[i] <= '9';
                port = port * 10 + bytes[i] - '0';
            }
            good &= port <= MAX_PORT;
        }
        return good;
    }

    private boolean isHostName(int at, int to) {
        byte b = bytes[at];
        return b == '%'
                ? at + 2 < to && ByteClasses.hexValue(bytes[at + 1]) >= 0 && ByteClasses.hexValue(bytes[at + 2]) >= 0
                : ByteClasses.isHost(b);
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int methodStart() {
        return 0;
    }

    @Override
    public int methodEnd() {
        return methodEnd;
    }

    @Override
    public int pathStart() {
        return pathStart;
    }

    @Override
    public int pathEnd() {
        return pathEnd;
    }

    @Override
    public int headerLine(byte[] lowerCaseName, int from) {
        for (int line = from; line < count; line++) {
            if (ByteClasses.equalsIgnoreCase(bytes, lineStart[line], nameEnd[line], lowerCaseName)) {
                return line;
            }
        }
        return -1;
    }

    @Override
    public int headerCount() {
        return count;
    }

    @Override
    public int headerNameStart(int line) {
        return lineStart[line];
    }

    @Override
    public int headerNameEnd(int line) {
        return nameEnd[line];
    }

    @Override
    public int headerStart(int line) {
        return valueStart[line];
    }

    @Override
    public int headerEnd(int line) {
        return valueEnd[line];
    }

    @Override
    public int hostStart() {
        return authorityStart;
    }

    @Override
    public int hostEnd() {
        for (int i = authorityEnd - 1; i > authorityStart; i--) {
            if (bytes[i] == ':') {
                return i;
            }
            if (bytes[i] < '0' || bytes[i] > '9') {
                break;
            }
        }
        return authorityEnd;
    }

    @Override
    public int authorityEnd() {
        return authorityEnd;
    }

    /** The framing of the body (RFC 9112 section 6.3). A request without a length has no body. */
    public BodyFraming framing() {
        if (chunked) {
            return BodyFraming.CHUNKED;
        }
        return contentLength > 0 ? BodyFraming.LENGTH : BodyFraming.NONE;
    }

    /** Whether the client wants the connection kept open (RFC 9112 section 9.3). */
    public boolean wantsKeepAlive() {
        return minorVersion == 1 ? !connectionClose : connectionKeepAlive && !connectionClose;
    }
}

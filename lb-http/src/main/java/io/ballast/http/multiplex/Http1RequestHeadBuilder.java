package io.ballast.http.multiplex;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.h2.wire.Priority;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.WebSocketHandshake;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Converts a request head to HTTP/1.1, so that it is scanned, routed and forwarded like an HTTP/1.1 request.
 * Enforces RFC 9113 section 8 to prevent request smuggling: no line breaks, framing or connection-specific
 * fields, and no second authority.
 *
 * <p>Event-loop confined; one object serves all streams of a loop in turn.
 */
public final class Http1RequestHeadBuilder implements HpackDecoder.Sink {

    private static final byte[] METHOD = ByteClasses.ascii(":method");
    private static final byte[] SCHEME = ByteClasses.ascii(":scheme");
    private static final byte[] AUTHORITY = ByteClasses.ascii(":authority");
    private static final byte[] PATH = ByteClasses.ascii(":path");
    private static final byte[] PROTOCOL = ByteClasses.ascii(":protocol");
    private static final byte[] CONNECT = ByteClasses.ascii("connect");
    private static final byte[] ASTERISK = ByteClasses.ascii("*");
    private static final byte[] CONNECT_METHOD = ByteClasses.ascii("CONNECT");
    private static final byte[] HTTP = ByteClasses.ascii("http");
    private static final byte[] HTTPS = ByteClasses.ascii("https");
    private static final byte[] WEBSOCKET = ByteClasses.ascii("websocket");
    private static final byte[] GET = ByteClasses.ascii("GET");
    private static final byte[] UPGRADE_LINES =
            ByteClasses.ascii("connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: ");
    private static final byte[] COOKIE = ByteClasses.ascii("cookie");
    private static final byte[] HOST = ByteClasses.ascii("host");
    private static final byte[] PRIORITY = ByteClasses.ascii("priority");
    private static final byte[] HOST_LINE = ByteClasses.ascii("host: ");
    private static final byte[] VERSION_LINE = ByteClasses.ascii(" HTTP/1.1\r\n");
    private static final byte[] CONTENT_LENGTH = ByteClasses.ascii("content-length");
    private static final byte[] CHUNKED = ByteClasses.ascii("transfer-encoding: chunked\r\n");
    private static final byte[] COOKIE_SEPARATOR = ByteClasses.ascii("; ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] SEPARATOR = ByteClasses.ascii(": ");

    private final ByteAppender target = new ByteAppender();
    private final ByteAppender method = new ByteAppender();
    private final ByteAppender scheme = new ByteAppender();
    private final ByteAppender authority = new ByteAppender();
    private final ByteAppender path = new ByteAppender();
    private final ByteAppender protocol = new ByteAppender();
    private final ByteAppender cookies = new ByteAppender();

    private int maxBytes;
    private int listBytes;
    private boolean inFields;
    /** The first fault found in the head; null if there is none. */
    private @Nullable HeadError fault;

    private boolean hasLength;
    /** Source of WebSocket keys; null if WebSocket is not allowed. */
    private @Nullable RandomGenerator keyGenerator;

    private byte @Nullable [] key;
    private int priority;
    /** Whether a PRIORITY_UPDATE frame has set the priority, which overrides the {@code priority} field. */
    private boolean isPrioritized;

    /** Starts a request whose fields may have a total size of {@code max} bytes (RFC 9113 section 10.5.1). */
    public void begin(int max) {
        target.clear();
        method.clear();
        scheme.clear();
        authority.clear();
        path.clear();
        cookies.clear();
        maxBytes = max;
        listBytes = 0;
        inFields = false;
        fault = null;
        hasLength = false;
        protocol.clear();
        keyGenerator = null;
        key = null;
        priority = Priority.NONE;
        isPrioritized = false;
    }

    /**
     * Sets the priority that an earlier PRIORITY_UPDATE frame requested; {@link Priority#NONE} if there was none.
     */
    public void prioritize(int parsed) {
        priority = parsed;
        isPrioritized = parsed != Priority.NONE;
    }

    /** Allows the request to open a WebSocket (RFC 8441). */
    public void allowWebSocket(RandomGenerator random) {
        keyGenerator = random;
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        listBytes += nameLength + valueLength + FieldRules.FIELD_OVERHEAD;
        if (isMalformed() || isTooLarge()) {
            return;
        }
        int nameTo = nameFrom + nameLength;
        int valueTo = valueFrom + valueLength;
        if (nameLength > 0 && names[nameFrom] == ':') {
            if (inFields || !pseudo(names, nameFrom, nameTo, values, valueFrom, valueTo)) {
                fault = HeadError.MALFORMED_PSEUDO_HEADER;
            }
            return;
        }
        if (!inFields) {
            inFields = true;
            appendRequestLine();
        }
        if (fault == null) {
            fault = FieldRules.fault(names, nameFrom, nameTo, values, valueFrom, valueTo);
        }
        if (fault != null) {
            return;
        }
        if (key != null && ByteClasses.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH)) {
            fault = HeadError.MALFORMED_CONTENT_LENGTH; // a request for a tunnel must not have a Content-Length
        } else if (isPriority(names, nameFrom, nameTo, values, valueFrom, valueTo) && isPrioritized) {
            return; // a PRIORITY_UPDATE frame overrides this field
        } else if (key != null && isHandshake(names, nameFrom, nameTo)) {
            return; // replaced by the balancer's own WebSocket handshake
        } else if (ByteClasses.equalsIgnoreCase(names, nameFrom, nameTo, COOKIE)) {
            if (cookies.length() > 0) {
                cookies.append(COOKIE_SEPARATOR); // RFC 9113 section 8.2.3: several cookie fields are joined by "; "
            }
            cookies.append(values, valueFrom, valueTo);
        } else if (authority.length() > 0 && ByteClasses.equalsIgnoreCase(names, nameFrom, nameTo, HOST)) {
            if (!isAuthority(values, valueFrom, valueTo)) {
                fault = HeadError.DUPLICATE_HOST; // the Host field must equal the authority
            }
        } else {
            hasLength |= ByteClasses.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH);
            line(names, nameFrom, nameTo, values, valueFrom, valueTo);
        }
    }

    /** Whether the field is {@code priority} (RFC 9218); parses its value. */
    private boolean isPriority(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        if (to - from != PRIORITY.length || !ByteClasses.equalsIgnoreCase(names, from, to, PRIORITY)) {
            return false;
        }
        if (!isPrioritized) {
            int before = priority == Priority.NONE ? Priority.DEFAULT : priority;
            int parsed = Priority.parse(values, valueFrom, valueTo, before);
            priority = parsed == Priority.NONE ? priority : parsed;
        }
        return true;
    }

    private boolean pseudo(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        ByteAppender kept = pseudo(names, from, to);
        if (kept == null || kept.length() > 0 || valueFrom == valueTo) {
            return false;
        }
        for (int i = valueFrom; i < valueTo; i++) {
            boolean good = (kept == method || kept == protocol)
                    ? ByteClasses.isToken(values[i])
                    : ByteClasses.isTarget(values[i]);
            if (!good) {
                return false;
            }
        }
        kept.append(values, valueFrom, valueTo);
        return true;
    }

    private @Nullable ByteAppender pseudo(byte[] names, int from, int to) {
        if (Arrays.equals(names, from, to, METHOD, 0, METHOD.length)) {
            return method;
        }
        if (Arrays.equals(names, from, to, PATH, 0, PATH.length)) {
            return path;
        }
        if (Arrays.equals(names, from, to, SCHEME, 0, SCHEME.length)) {
            return scheme;
        }
        if (keyGenerator != null && Arrays.equals(names, from, to, PROTOCOL, 0, PROTOCOL.length)) {
            return protocol;
        }
        return Arrays.equals(names, from, to, AUTHORITY, 0, AUTHORITY.length) ? authority : null;
    }

    private boolean isAuthority(byte[] values, int from, int to) {
        return ByteClasses.equalsIgnoreCase(values, from, to, authority.bytes(), 0, authority.length());
    }

    private static boolean equalsIgnoreCase(ByteAppender text, byte[] lowerCase) {
        return ByteClasses.equalsIgnoreCase(text.bytes(), 0, text.length(), lowerCase);
    }

    private static boolean isHandshake(byte[] names, int from, int to) {
        return ByteClasses.equalsIgnoreCase(names, from, to, WebSocketHandshake.KEY)
                || ByteClasses.equalsIgnoreCase(names, from, to, WebSocketHandshake.ACCEPT);
    }

    private void appendRequestLine() {
        RandomGenerator random = keyGenerator;
        if (random != null && protocol.length() > 0) {
            convertExtendedConnect(random);
            return;
        }
        boolean connect = equalsIgnoreCase(method, CONNECT);
        if (method.length() == 0 || connect != (path.length() == 0) || connect != (scheme.length() == 0)) {
            fault = HeadError.MALFORMED_PSEUDO_HEADER;
            return;
        }
        if (!connect && path.bytes()[0] != '/' && !equalsIgnoreCase(path, ASTERISK)) {
            fault = HeadError.MALFORMED_TARGET; // a target in absolute form would add another authority
            return;
        }
        target.append(method);
        target.append(ByteClasses.SPACE);
        target.append(connect ? authority : path);
        endRequestLine();
    }

    private void endRequestLine() {
        target.append(VERSION_LINE);
        if (authority.length() > 0) {
            target.append(HOST_LINE);
            target.append(authority);
            target.append(CRLF);
        }
    }

    /**
     * Converts an extended CONNECT (RFC 8441 section 4) for WebSocket to an HTTP/1.1 GET with {@code Upgrade}.
     * The key is generated, because HTTP/2 has none. A CONNECT for another protocol is not converted, and the
     * scanner rejects it.
     */
    private void convertExtendedConnect(RandomGenerator random) {
        boolean good = Arrays.equals(method.bytes(), 0, method.length(), CONNECT_METHOD, 0, CONNECT_METHOD.length)
                && (equalsIgnoreCase(scheme, HTTP) || equalsIgnoreCase(scheme, HTTPS))
                && path.length() > 0
                && path.bytes()[0] == '/'
                && authority.length() > 0;
        if (!good) {
            fault = HeadError.MALFORMED_PSEUDO_HEADER;
            return;
        }
        boolean isWebSocket = equalsIgnoreCase(protocol, WEBSOCKET);
        target.append(isWebSocket ? GET : CONNECT_METHOD);
        target.append(ByteClasses.SPACE);
        target.append(path);
        endRequestLine();
        if (isWebSocket) {
            byte[] question = WebSocketHandshake.newKey(random);
            key = question;
            target.append(UPGRADE_LINES);
            target.append(question);
            target.append(CRLF);
        }
    }

    private void line(byte[] names, int nameFrom, int nameTo, byte[] values, int valueFrom, int valueTo) {
        target.append(names, nameFrom, nameTo);
        target.append(SEPARATOR);
        target.append(values, valueFrom, valueTo);
        target.append(CRLF);
    }

    /** Ends the header block. */
    public void end(boolean endsStream) {
        if (!inFields && !isMalformed() && !isTooLarge()) {
            appendRequestLine();
        }
        if (cookies.length() > 0) {
            line(COOKIE, 0, COOKIE.length, cookies.bytes(), 0, cookies.length());
        }
        if (isPrioritized) {
            byte[] text = Priority.text(priority);
            line(PRIORITY, 0, PRIORITY.length, text, 0, text.length);
        }
        if (!endsStream && !hasLength && key == null) {
            target.append(CHUNKED); // the length is unknown: END_STREAM ends the body
        }
        target.append(CRLF);
    }

    /**
     * Removes the {@code Transfer-Encoding} line that {@link #end} added, because the stream ended without a
     * body.
     */
    static void removeTransferEncoding(ByteAppender text) {
        int from = text.length() - CRLF.length - CHUNKED.length;
        if (from >= 0 && Arrays.equals(text.bytes(), from, from + CHUNKED.length, CHUNKED, 0, CHUNKED.length)) {
            text.delete(from, from + CHUNKED.length);
        }
    }

    /** Whether the request is malformed (RFC 9113 section 8.1.1). */
    boolean isMalformed() {
        return fault != null;
    }

    /** The first error found in the request head; null if there is none. */
    public @Nullable HeadError fault() {
        return fault;
    }

    boolean isTooLarge() {
        return listBytes > maxBytes;
    }

    /** The generated WebSocket key; null if the request is not for a WebSocket. */
    byte @Nullable [] webSocketKey() {
        return key;
    }

    /** The priority of the response; {@link Priority#NONE} if the client sent none. */
    public int priority() {
        return priority;
    }

    /** The converted head; reused for the next request. */
    ByteAppender text() {
        return target;
    }
}

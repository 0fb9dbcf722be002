package io.ballast.http.h2.client;

import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.h2.wire.Priority;
import io.ballast.http.head.HeadFault;
import io.ballast.http.head.Octets;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.octets.OctetBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Converts a request head to HTTP/1.1, so that it is scanned, routed and forwarded like others. Enforces RFC 9113
 * section 8 to prevent request smuggling: no line breaks, framing or connection-specific fields, and no second
 * authority.
 *
 * <p>Event-loop confined; one object serves all streams of a loop in turn.
 */
final class RequestHead implements HpackDecoder.Sink {

    private static final byte[] METHOD = Octets.ascii(":method");
    private static final byte[] SCHEME = Octets.ascii(":scheme");
    private static final byte[] AUTHORITY = Octets.ascii(":authority");
    private static final byte[] PATH = Octets.ascii(":path");
    private static final byte[] PROTOCOL = Octets.ascii(":protocol");
    private static final byte[] CONNECT = Octets.ascii("connect");
    private static final byte[] ASTERISK = Octets.ascii("*");
    private static final byte[] CONNECT_METHOD = Octets.ascii("CONNECT");
    private static final byte[] HTTP = Octets.ascii("http");
    private static final byte[] HTTPS = Octets.ascii("https");
    private static final byte[] WEBSOCKET = Octets.ascii("websocket");
    private static final byte[] GET = Octets.ascii("GET");
    private static final byte[] UPGRADE_LINES =
            Octets.ascii("connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: ");
    private static final byte[] COOKIE = Octets.ascii("cookie");
    private static final byte[] HOST = Octets.ascii("host");
    private static final byte[] PRIORITY = Octets.ascii("priority");
    private static final byte[] HOST_LINE = Octets.ascii("host: ");
    private static final byte[] VERSION_LINE = Octets.ascii(" HTTP/1.1\r\n");
    private static final byte[] CONTENT_LENGTH = Octets.ascii("content-length");
    private static final byte[] CHUNKED = Octets.ascii("transfer-encoding: chunked\r\n");
    private static final byte[] COOKIE_SEPARATOR = Octets.ascii("; ");
    private static final byte[] CRLF = Octets.ascii("\r\n");
    private static final byte[] SEPARATOR = Octets.ascii(": ");

    private final OctetBuffer target = new OctetBuffer();
    private final OctetBuffer method = new OctetBuffer();
    private final OctetBuffer scheme = new OctetBuffer();
    private final OctetBuffer authority = new OctetBuffer();
    private final OctetBuffer path = new OctetBuffer();
    private final OctetBuffer protocol = new OctetBuffer();
    private final OctetBuffer cookies = new OctetBuffer();

    private int mostBytes;
    private int listBytes;
    private boolean inFields;
    /** The fault of the head; null if there is none. */
    private @Nullable HeadFault fault;

    private boolean hasLength;
    /** Source of WebSocket keys; null if WebSocket is not allowed. */
    private @Nullable RandomGenerator keys;

    private byte @Nullable [] key;
    private int priority;
    /** Whether a PRIORITY_UPDATE frame has set the priority, which overrides the field. */
    private boolean isPrioritized;

    /** Starts a request whose fields may count {@code most} bytes (RFC 9113 section 10.5.1). */
    void begin(int most) {
        target.clear();
        method.clear();
        scheme.clear();
        authority.clear();
        path.clear();
        cookies.clear();
        mostBytes = most;
        listBytes = 0;
        inFields = false;
        fault = null;
        hasLength = false;
        protocol.clear();
        keys = null;
        key = null;
        priority = Priority.NONE;
        isPrioritized = false;
    }

    /** Sets a priority from an earlier PRIORITY_UPDATE frame; {@link Priority#NONE} if there was none. */
    void prioritize(int said) {
        priority = said;
        isPrioritized = said != Priority.NONE;
    }

    /** Allows the request to open a WebSocket (RFC 8441). */
    void mayAskForWebSocket(RandomGenerator random) {
        keys = random;
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
                fault = HeadFault.MALFORMED_PSEUDO_HEADER;
            }
            return;
        }
        if (!inFields) {
            inFields = true;
            requestLine();
        }
        if (fault == null) {
            fault = FieldRules.fault(names, nameFrom, nameTo, values, valueFrom, valueTo);
        }
        if (fault != null) {
            return;
        }
        if (key != null && Octets.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH)) {
            fault = HeadFault.MALFORMED_CONTENT_LENGTH; // tunnel data is no content
        } else if (isPriority(names, nameFrom, nameTo, values, valueFrom, valueTo) && isPrioritized) {
            return; // overridden by PRIORITY_UPDATE
        } else if (key != null && isHandshake(names, nameFrom, nameTo)) {
            return; // replaced by our handshake
        } else if (Octets.equalsIgnoreCase(names, nameFrom, nameTo, COOKIE)) {
            if (cookies.length() > 0) {
                cookies.append(COOKIE_SEPARATOR); // RFC 9113 section 8.2.3
            }
            cookies.append(values, valueFrom, valueTo);
        } else if (authority.length() > 0 && Octets.equalsIgnoreCase(names, nameFrom, nameTo, HOST)) {
            if (!isAuthority(values, valueFrom, valueTo)) {
                fault = HeadFault.DUPLICATE_HOST; // must equal the authority
            }
        } else {
            hasLength |= Octets.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH);
            line(names, nameFrom, nameTo, values, valueFrom, valueTo);
        }
    }

    /** Whether it is the {@code priority} field (RFC 9218); parses it. */
    private boolean isPriority(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        if (to - from != PRIORITY.length || !Octets.equalsIgnoreCase(names, from, to, PRIORITY)) {
            return false;
        }
        if (!isPrioritized) {
            int before = priority == Priority.NONE ? Priority.DEFAULT : priority;
            int said = Priority.parse(values, valueFrom, valueTo, before);
            priority = said == Priority.NONE ? priority : said;
        }
        return true;
    }

    private boolean pseudo(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        OctetBuffer kept = pseudo(names, from, to);
        if (kept == null || kept.length() > 0 || valueFrom == valueTo) {
            return false;
        }
        for (int i = valueFrom; i < valueTo; i++) {
            boolean good =
                    (kept == method || kept == protocol) ? Octets.isToken(values[i]) : Octets.isTarget(values[i]);
            if (!good) {
                return false;
            }
        }
        kept.append(values, valueFrom, valueTo);
        return true;
    }

    private @Nullable OctetBuffer pseudo(byte[] names, int from, int to) {
        if (Arrays.equals(names, from, to, METHOD, 0, METHOD.length)) {
            return method;
        }
        if (Arrays.equals(names, from, to, PATH, 0, PATH.length)) {
            return path;
        }
        if (Arrays.equals(names, from, to, SCHEME, 0, SCHEME.length)) {
            return scheme;
        }
        if (keys != null && Arrays.equals(names, from, to, PROTOCOL, 0, PROTOCOL.length)) {
            return protocol;
        }
        return Arrays.equals(names, from, to, AUTHORITY, 0, AUTHORITY.length) ? authority : null;
    }

    private boolean isAuthority(byte[] values, int from, int to) {
        return Octets.equalsIgnoreCase(values, from, to, authority.bytes(), 0, authority.length());
    }

    private static boolean is(OctetBuffer text, byte[] lowerCase) {
        return Octets.equalsIgnoreCase(text.bytes(), 0, text.length(), lowerCase);
    }

    private static boolean isHandshake(byte[] names, int from, int to) {
        return Octets.equalsIgnoreCase(names, from, to, WebSocketHandshake.KEY)
                || Octets.equalsIgnoreCase(names, from, to, WebSocketHandshake.ACCEPT);
    }

    private void requestLine() {
        RandomGenerator random = keys;
        if (random != null && protocol.length() > 0) {
            extendedConnect(random);
            return;
        }
        boolean connect = is(method, CONNECT);
        if (method.length() == 0 || connect != (path.length() == 0) || connect != (scheme.length() == 0)) {
            fault = HeadFault.MALFORMED_PSEUDO_HEADER;
            return;
        }
        if (!connect && path.bytes()[0] != '/' && !is(path, ASTERISK)) {
            fault = HeadFault.MALFORMED_TARGET; // an absolute form would add another authority
            return;
        }
        target.append(method);
        target.append(Octets.SPACE);
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
     * Converts an extended CONNECT (RFC 8441 section 4) for WebSocket to an HTTP/1.1 GET with {@code Upgrade} and a
     * generated key, which HTTP/2 does not have. Other protocols stay CONNECT, which the scanner rejects.
     */
    private void extendedConnect(RandomGenerator random) {
        boolean good = Arrays.equals(method.bytes(), 0, method.length(), CONNECT_METHOD, 0, CONNECT_METHOD.length)
                && (is(scheme, HTTP) || is(scheme, HTTPS))
                && path.length() > 0
                && path.bytes()[0] == '/'
                && authority.length() > 0;
        if (!good) {
            fault = HeadFault.MALFORMED_PSEUDO_HEADER;
            return;
        }
        boolean isWebSocket = is(protocol, WEBSOCKET);
        target.append(isWebSocket ? GET : CONNECT_METHOD);
        target.append(Octets.SPACE);
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
    void end(boolean endsStream) {
        if (!inFields && !isMalformed() && !isTooLarge()) {
            requestLine();
        }
        if (cookies.length() > 0) {
            line(COOKIE, 0, COOKIE.length, cookies.bytes(), 0, cookies.length());
        }
        if (isPrioritized) {
            byte[] text = Priority.text(priority);
            line(PRIORITY, 0, PRIORITY.length, text, 0, text.length);
        }
        if (!endsStream && !hasLength && key == null) {
            target.append(CHUNKED); // END_STREAM marks the end of the body
        }
        target.append(CRLF);
    }

    /** Removes the {@code Transfer-Encoding} line that {@link #end} added: the stream has ended without a body. */
    static void withoutBody(OctetBuffer text) {
        int from = text.length() - CRLF.length - CHUNKED.length;
        if (from >= 0 && Arrays.equals(text.bytes(), from, from + CHUNKED.length, CHUNKED, 0, CHUNKED.length)) {
            text.delete(from, from + CHUNKED.length);
        }
    }

    /** Whether the request is malformed (RFC 9113 section 8.1.1). */
    boolean isMalformed() {
        return fault != null;
    }

    /** The fault of the head; null if there is none. */
    @Nullable HeadFault fault() {
        return fault;
    }

    boolean isTooLarge() {
        return listBytes > mostBytes;
    }

    /** The generated WebSocket key; null if the request is not for a WebSocket. */
    byte @Nullable [] webSocketKey() {
        return key;
    }

    /** The priority of the response; {@link Priority#NONE} if the client sent none. */
    int priority() {
        return priority;
    }

    /** The converted head; reused for the next request. */
    OctetBuffer text() {
        return target;
    }
}

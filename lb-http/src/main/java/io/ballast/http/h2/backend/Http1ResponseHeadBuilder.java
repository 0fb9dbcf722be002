package io.ballast.http.h2.backend;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.WebSocketHandshake;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Converts a response head or trailers to HTTP/1.1. Enforces RFC 9113 section 8, so that the conversion does
 * not change the meaning of any field. Event-loop confined; one object serves all streams of a loop.
 */
final class Http1ResponseHeadBuilder implements HpackDecoder.Sink {

    private static final byte[] STATUS = ByteClasses.ascii(":status");
    private static final byte[] VERSION = ByteClasses.ascii("HTTP/1.1 ");
    private static final byte[] CONTENT_LENGTH = ByteClasses.ascii("content-length");
    private static final byte[] SWITCH = ByteClasses.ascii(
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ");
    private static final byte[] SEPARATOR = ByteClasses.ascii(": ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] STATUS_END = ByteClasses.ascii(" \r\n");
    private static final byte[] CHUNKED = ByteClasses.ascii("transfer-encoding: chunked\r\n");
    private static final byte[] ZERO_CONTENT_LENGTH = ByteClasses.ascii("content-length: 0\r\n");
    private static final int DIGITS = 3;
    private static final int SUCCESS = 200;

    private final ByteAppender text = new ByteAppender();
    private int maxBytes;
    private int listBytes;
    private int status;
    private boolean isTrailers;
    /** The first error found in the response head; null if there is none. */
    private @Nullable HeadError fault;

    private boolean hasLength;
    private byte @Nullable [] webSocketAccept;
    private boolean switches;

    /** Starts a header block. */
    void begin(boolean trailers, int max, byte @Nullable [] answer) {
        text.clear();
        isTrailers = trailers;
        maxBytes = max;
        listBytes = 0;
        status = 0;
        fault = null;
        hasLength = false;
        webSocketAccept = answer;
        switches = false;
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        listBytes += nameLength + valueLength + FieldRules.FIELD_OVERHEAD;
        int nameTo = nameFrom + nameLength;
        int valueTo = valueFrom + valueLength;
        if (fault != null) {
            return;
        }
        if (listBytes > maxBytes) {
            fault = HeadError.HEAD_TOO_LONG;
        } else if (nameLength > 0 && names[nameFrom] == ':') {
            if (!status(names, nameFrom, nameTo, values, valueFrom, valueTo)) {
                fault = HeadError.MALFORMED_PSEUDO_HEADER;
            }
        } else if (status == 0 && !isTrailers) {
            fault = HeadError.MALFORMED_PSEUDO_HEADER;
        } else {
            fault = FieldRules.fault(names, nameFrom, nameTo, values, valueFrom, valueTo);
            if (fault == null) {
                add(names, nameFrom, nameTo, values, valueFrom, valueTo);
            }
        }
    }

    private void add(byte[] names, int nameFrom, int nameTo, byte[] values, int valueFrom, int valueTo) {
        if (switches && isIgnored(names, nameFrom, nameTo)) {
            return;
        }
        hasLength |= ByteClasses.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH);
        text.append(names, nameFrom, nameTo);
        text.append(SEPARATOR);
        text.append(values, valueFrom, valueTo);
        text.append(CRLF);
    }

    /**
     * Whether the field is ignored in a successful response to CONNECT. This applies to {@code Content-Length}
     * (RFC 9110 section 9.3.6). It also applies to {@code Sec-WebSocket-Accept}, because HTTP/2 requests contain
     * no {@code Sec-WebSocket-Key}.
     */
    private static boolean isIgnored(byte[] names, int from, int to) {
        return ByteClasses.equalsIgnoreCase(names, from, to, CONTENT_LENGTH)
                || ByteClasses.equalsIgnoreCase(names, from, to, WebSocketHandshake.ACCEPT);
    }

    private boolean status(byte[] names, int from, int to, byte[] values, int valueFrom, int valueTo) {
        if (isTrailers
                || status != 0
                || text.length() > 0
                || valueTo - valueFrom != DIGITS
                || !Arrays.equals(names, from, to, STATUS, 0, STATUS.length)) {
            return false;
        }
        for (int i = valueFrom; i < valueTo; i++) {
            if (values[i] < '0' || values[i] > '9') {
                return false;
            }
            status = status * 10 + values[i] - '0';
        }
        byte[] answer = webSocketAccept;
        switches = answer != null && status >= SUCCESS && WebSocketHandshake.establishesTunnel(status);
        if (switches && answer != null) {
            text.append(SWITCH);
            text.append(answer);
            text.append(CRLF);
        } else {
            text.append(VERSION);
            text.append(values, valueFrom, valueTo);
            text.append(STATUS_END);
        }
        return status >= 100;
    }

    /** Ends the header block. */
    void end(boolean isEmpty, boolean inChunks) {
        if (switches) {
            text.append(CRLF);
            return;
        }
        if (!hasLength && isEmpty) {
            text.append(ZERO_CONTENT_LENGTH);
        } else if (!hasLength && inChunks) {
            text.append(CHUNKED);
        }
        text.append(CRLF);
    }

    /** The error in the response head; null if there is none. */
    @Nullable HeadError fault() {
        return fault == null && !isTrailers && status == 0 ? HeadError.MALFORMED_PSEUDO_HEADER : fault;
    }

    /** Whether the response accepts the requested WebSocket; such a response is converted to status 101. */
    boolean isSwitch() {
        return switches;
    }

    boolean hasLength() {
        return hasLength;
    }

    int status() {
        return status;
    }

    ByteAppender text() {
        return text;
    }
}

package io.ballast.http.h2.backend;

import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.Octets;
import io.ballast.http.octets.OctetBuffer;
import java.util.Arrays;

/**
 * Puts the head of a response, or its trailers, together in the notation of HTTP/1.1. Judges what RFC 9113 section 8 demands
 * of fields, so that nothing can mean more in that notation than it meant before. Event-loop confined; one object serves all
 * streams of a loop.
 */
final class ResponseHeadText implements HpackDecoder.Sink {

    private static final byte[] STATUS = Octets.ascii(":status");
    private static final byte[] VERSION = Octets.ascii("HTTP/1.1 ");
    private static final byte[] CONTENT_LENGTH = Octets.ascii("content-length");
    private static final byte[] SEPARATOR = Octets.ascii(": ");
    private static final byte[] CRLF = Octets.ascii("\r\n");
    private static final byte[] STATUS_END = Octets.ascii(" \r\n");
    private static final byte[] CHUNKED = Octets.ascii("transfer-encoding: chunked\r\n");
    private static final byte[] NO_LENGTH = Octets.ascii("content-length: 0\r\n");
    private static final int DIGITS = 3;

    private final OctetBuffer text = new OctetBuffer();
    private int mostBytes;
    private int listBytes;
    private int status;
    private boolean isTrailers;
    private boolean malformed;
    private boolean hasLength;

    /** A block begins, whose fields may count that many octets. */
    void begin(boolean trailers, int most) {
        text.clear();
        isTrailers = trailers;
        mostBytes = most;
        listBytes = 0;
        status = 0;
        malformed = false;
        hasLength = false;
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        listBytes += nameLength + valueLength + FieldRules.FIELD_OVERHEAD;
        int nameTo = nameFrom + nameLength;
        int valueTo = valueFrom + valueLength;
        if (malformed || listBytes > mostBytes) {
            malformed = true;
        } else if (nameLength > 0 && names[nameFrom] == ':') {
            malformed = !status(names, nameFrom, nameTo, values, valueFrom, valueTo);
        } else if ((status == 0 && !isTrailers)
                || !FieldRules.isName(names, nameFrom, nameTo)
                || !FieldRules.isValue(values, valueFrom, valueTo)
                || FieldRules.isForConnection(names, nameFrom, nameTo, values, valueFrom, valueTo)) {
            malformed = true;
        } else {
            hasLength |= Octets.equalsIgnoreCase(names, nameFrom, nameTo, CONTENT_LENGTH);
            text.append(names, nameFrom, nameTo);
            text.append(SEPARATOR);
            text.append(values, valueFrom, valueTo);
            text.append(CRLF);
        }
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
        text.append(VERSION);
        text.append(values, valueFrom, valueTo);
        text.append(STATUS_END);
        return status >= 100;
    }

    /**
     * The block is over.
     *
     * @param isEmpty whether the response has no body although it might have one
     * @param inChunks whether a body of unknown length is handed on in chunks
     */
    void end(boolean isEmpty, boolean inChunks) {
        if (!hasLength && isEmpty) {
            text.append(NO_LENGTH);
        } else if (!hasLength && inChunks) {
            text.append(CHUNKED);
        }
        text.append(CRLF);
    }

    boolean isMalformed() {
        return malformed || (!isTrailers && status == 0);
    }

    boolean hasLength() {
        return hasLength;
    }

    int status() {
        return status;
    }

    OctetBuffer text() {
        return text;
    }
}

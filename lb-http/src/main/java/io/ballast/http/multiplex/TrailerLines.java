package io.ballast.http.multiplex;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ForbiddenTrailers;
import io.ballast.http.head.TrailerRules;

/**
 * Collects the trailers of a request as HTTP/1.1 lines. Event-loop confined; one object serves all streams of a loop.
 */
public final class TrailerLines implements HpackDecoder.Sink {

    private static final byte[] SEPARATOR = ByteClasses.ascii(": ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");

    private final ByteAppender lines = new ByteAppender();
    private byte[] name = new byte[64];
    private int maxBytes;
    private TrailerRules rules = TrailerRules.NONE;
    private int listBytes;
    private boolean malformed;

    /**
     * Starts the trailers of a request.
     *
     * @param max the maximum size of the trailers in bytes
     * @param forbidden the trailers that the request must not contain
     */
    public void begin(int max, TrailerRules forbidden) {
        lines.clear();
        maxBytes = max;
        rules = forbidden;
        listBytes = 0;
        malformed = false;
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        listBytes += nameLength + valueLength + FieldRules.FIELD_OVERHEAD;
        int nameTo = nameFrom + nameLength;
        int valueTo = valueFrom + valueLength;
        if (malformed
                || listBytes > maxBytes
                || FieldRules.faultOfTrailer(names, nameFrom, nameTo, values, valueFrom, valueTo) != null
                || isForbidden(names, nameFrom, nameLength)) {
            malformed = true;
            return;
        }
        lines.append(names, nameFrom, nameTo);
        lines.append(SEPARATOR);
        lines.append(values, valueFrom, valueTo);
        lines.append(CRLF);
    }

    private boolean isForbidden(byte[] names, int from, int length) {
        if (name.length < length) {
            name = new byte[length];
        }
        for (int i = 0; i < length; i++) {
            byte b = names[from + i];
            name[i] = b == '_' ? (byte) '-' : b; // some backends read an underscore as a hyphen
        }
        return ForbiddenTrailers.contains(name, length) || rules.forbids(name, length);
    }

    public boolean isMalformed() {
        return malformed;
    }

    ByteAppender lines() {
        return lines;
    }
}

package io.ballast.http.h2.client;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ForbiddenTrailers;

/**
 * Collects the trailers of a request as HTTP/1.1 lines. Event-loop confined; one object serves all streams of a loop.
 */
final class TrailerLines implements HpackDecoder.Sink {

    private static final byte[] SEPARATOR = ByteClasses.ascii(": ");
    private static final byte[] CRLF = ByteClasses.ascii("\r\n");

    private final ByteAppender lines = new ByteAppender();
    private byte[] name = new byte[64];
    private int maxBytes;
    private int listBytes;
    private boolean malformed;

    void begin(int max) {
        lines.clear();
        maxBytes = max;
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
        System.arraycopy(names, from, name, 0, length);
        return ForbiddenTrailers.contains(name, length);
    }

    boolean isMalformed() {
        return malformed;
    }

    ByteAppender lines() {
        return lines;
    }
}

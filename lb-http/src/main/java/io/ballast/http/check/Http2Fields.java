package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.ByteClasses;
import java.util.Arrays;

/**
 * Collects those fields of a header block that checks need. Other fields count towards the size but are not
 * stored, because one byte can refer to a field of four thousand bytes (RFC 7541 section 7.3). Event-loop
 * confined.
 */
final class Http2Fields implements HpackDecoder.Sink {

    private static final byte[] STATUS = ByteClasses.ascii(":status");
    private static final byte[] GRPC_STATUS = ByteClasses.ascii("grpc-status");
    private static final byte[] GRPC_MESSAGE = ByteClasses.ascii("grpc-message");

    private final int maxBytes;
    private int listBytes;
    private String status = "";
    private String grpcStatus = "";
    private String grpcMessage = "";

    /** @param maxBytes the largest total size of the fields of a block */
    Http2Fields(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Starts a new header block. */
    void begin() {
        listBytes = 0;
        status = "";
        grpcStatus = "";
        grpcMessage = "";
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        listBytes += nameLength + valueLength + FieldRules.FIELD_OVERHEAD;
        if (isTooLarge()) {
            return;
        }
        int nameTo = nameFrom + nameLength;
        if (isName(STATUS, names, nameFrom, nameTo)) {
            status = new String(values, valueFrom, valueLength, ISO_8859_1);
        } else if (isName(GRPC_STATUS, names, nameFrom, nameTo)) {
            grpcStatus = new String(values, valueFrom, valueLength, ISO_8859_1);
        } else if (isName(GRPC_MESSAGE, names, nameFrom, nameTo)) {
            grpcMessage = new String(values, valueFrom, valueLength, ISO_8859_1);
        }
    }

    private static boolean isName(byte[] wanted, byte[] names, int from, int to) {
        return Arrays.equals(names, from, to, wanted, 0, wanted.length);
    }

    boolean isTooLarge() {
        return listBytes > maxBytes;
    }

    /** The status; 0 if absent, as in trailers. */
    int status() {
        return status.matches("[1-9][0-9]{2}") ? Integer.parseInt(status) : 0;
    }

    /** The value of {@code grpc-status}; empty if absent. */
    String grpcStatus() {
        return grpcStatus;
    }

    /** The value of {@code grpc-message}; empty if absent. */
    String grpcMessage() {
        return grpcMessage;
    }
}

package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.http.h2.wire.FieldRules;
import io.ballast.http.h2.wire.HpackDecoder;
import io.ballast.http.head.Octets;
import java.util.Arrays;

/**
 * What a check wants to know of a block of fields. The others are counted and not kept: a reference of one octet may mean four
 * thousand (RFC 7541 section 7.3). Event-loop confined.
 */
final class Http2Fields implements HpackDecoder.Sink {

    private static final byte[] STATUS = Octets.ascii(":status");
    private static final byte[] GRPC_STATUS = Octets.ascii("grpc-status");
    private static final byte[] GRPC_MESSAGE = Octets.ascii("grpc-message");

    private final int mostBytes;
    private int listBytes;
    private String status = "";
    private String grpcStatus = "";
    private String grpcMessage = "";

    /** @param mostBytes how many octets the fields of a block may count */
    Http2Fields(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** A block begins. */
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
        return listBytes > mostBytes;
    }

    /** The status, 0 for none, as in trailers. */
    int status() {
        return status.matches("[1-9][0-9]{2}") ? Integer.parseInt(status) : 0;
    }

    /** Empty if there is none. */
    String grpcStatus() {
        return grpcStatus;
    }

    /** Empty if there is none. */
    String grpcMessage() {
        return grpcMessage;
    }
}

package io.ballast.http.log;

import io.ballast.core.log.RecordRing;

/** A view of a record in a queue, which the log writer formats. Confined to the log writer thread. */
final class LogRecord {

    private final int[] offsets = new int[AccessLogField.COUNT];
    private final int[] lengths = new int[AccessLogField.COUNT];
    private byte[] bytes = new byte[0];
    private int start;
    private int ints;

    /** Reads the record at the head of {@code ring}; valid until that record is released. */
    void read(RecordRing ring) {
        bytes = ring.bytes();
        start = ring.offset();
        ints = start + AccessLogEntry.NUMBERS * Long.BYTES;
        int position = ints + AccessLogEntry.INTS * Integer.BYTES;
        for (int i = 0; i < AccessLogField.COUNT; i++) {
            lengths[i] = RecordRing.intAt(bytes, position);
            position += Integer.BYTES;
            offsets[i] = position;
            position += length(i);
        }
    }

    long startNanos() {
        return number(0);
    }

    long headNanos() {
        return number(1);
    }

    long queueNanos() {
        return number(2);
    }

    long connectNanos() {
        return number(3);
    }

    long firstByteNanos() {
        return number(4);
    }

    long totalNanos() {
        return number(5);
    }

    long bytesIn() {
        return number(6);
    }

    long bytesOut() {
        return number(7);
    }

    long bodyBytesOut() {
        return number(8);
    }

    /** The status of the response; 0 if there was no response. */
    int status() {
        return RecordRing.intAt(bytes, ints);
    }

    int attempts() {
        return RecordRing.intAt(bytes, ints + Integer.BYTES);
    }

    /** The HTTP version; negative if unknown. */
    int version() {
        return RecordRing.intAt(bytes, ints + 2 * Integer.BYTES);
    }

    /** The port of the client; 0 if unknown. */
    int clientPort() {
        return RecordRing.intAt(bytes, ints + 3 * Integer.BYTES);
    }

    byte[] bytes() {
        return bytes;
    }

    int offset(AccessLogField field) {
        return offsets[field.ordinal()];
    }

    int length(AccessLogField field) {
        return length(field.ordinal());
    }

    private int length(int index) {
        return lengths[index] < 0 ? ~lengths[index] : lengths[index];
    }

    /** Whether the text was truncated. */
    boolean isTruncated(AccessLogField field) {
        return lengths[field.ordinal()] < 0;
    }

    private long number(int index) {
        return RecordRing.longAt(bytes, start + index * Long.BYTES);
    }
}

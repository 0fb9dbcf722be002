package io.ballast.dns.transfer;

import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/**
 * Fills messages with the records of a zone. Each message repeats the question, so that owner names can end
 * with a compression pointer to the zone's name. Names in record data are not compressed.
 *
 * <p>Thread safety: confined to one thread.
 */
final class MessageWriter {

    /**
     * Size at which a message is full: large enough to be efficient, and small enough to buffer while the client
     * does not read.
     */
    static final int FULL_BYTES = 16 << 10;

    private static final int POINTER_TO_QUESTION = Wire.POINTER << 8 | Wire.HEADER_BYTES;
    private static final int ANSWER_COUNT = 6;
    private static final int ADDITIONAL_COUNT = 10;

    private static final int OPT_PAYLOAD_BYTES = 1232;

    private final byte[] head;
    private final byte[] opt;
    private final int apexBytes;
    private final int max;
    private byte[] bytes = new byte[FULL_BYTES];
    private int position;
    private int records;

    /** @param max the maximum size of a message in bytes */
    MessageWriter(ControlRequest request, Name apex, int max) {
        Message response = request.response(/* rcode= */ 0);
        this.head = response.toWire();
        head[2] |= (byte) Response.AUTHORITATIVE;
        this.opt = opt(request.message().getOPT() != null);
        this.apexBytes = apex.length();
        this.max = max - opt.length;
    }

    private static byte[] opt(boolean dnssecOk) {
        return dnssecOk
                ? new OPTRecord(OPT_PAYLOAD_BYTES, /* xrcode= */ 0, /* version= */ 0).toWire(Section.ADDITIONAL)
                : new byte[0];
    }

    /** Starts a message. */
    void begin() {
        position = 0;
        records = 0;
        append(head, 0, head.length);
    }

    /**
     * Adds records until the message is full or there are no more.
     *
     * @param pending the first record, which did not fit into the previous message; null if there is none
     * @return the record that does not fit; null if all records fit
     * @throws IllegalStateException if a record does not fit into an empty message
     */
    @Nullable TransferredRecord fill(@Nullable TransferredRecord pending, Iterator<TransferredRecord> following) {
        TransferredRecord next = pending == null && following.hasNext() ? following.next() : pending;
        while (next != null) {
            byte[] wire = next.record().toWire(Section.ANSWER);
            int length = wire.length - apexBytes + 2;
            boolean first = records == 0;
            if (first && position + length > max) {
                throw new IllegalStateException(
                        next.record().getName() + ": the record is too large for a message: " + length + " bytes");
            }
            if (!first && position + length > Math.min(max, FULL_BYTES)) {
                return next;
            }
            add(next, wire);
            next = following.hasNext() ? following.next() : null;
        }
        return null;
    }

    private void add(TransferredRecord sent, byte[] wire) {
        Record record = sent.record();
        int ownerBytes = record.getName().length();
        append(wire, 0, ownerBytes - apexBytes);
        reserve(2);
        Wire.putU16(bytes, position, POINTER_TO_QUESTION);
        position += 2;
        int fixed = position;
        append(wire, ownerBytes, wire.length - ownerBytes);
        Wire.putU32(bytes, fixed + 4, (int) sent.ttl());
        records++;
    }

    /** Ends the message, which is in {@link #bytes}; returns its length. */
    int end() {
        append(opt, 0, opt.length);
        Wire.putU16(bytes, ANSWER_COUNT, records);
        Wire.putU16(bytes, ADDITIONAL_COUNT, opt.length == 0 ? 0 : 1);
        return position;
    }

    byte[] bytes() {
        return bytes;
    }

    private void append(byte[] from, int start, int length) {
        reserve(length);
        System.arraycopy(from, start, bytes, position, length);
        position += length;
    }

    private void reserve(int length) {
        if (position + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, position + length));
        }
    }
}

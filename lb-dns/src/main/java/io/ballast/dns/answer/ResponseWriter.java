package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.QueryContext;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;

/**
 * Writes one response section by section, up to the size limit of the client. A record set is written
 * completely or not at all. If it does not fit, the TC flag is set.
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query.
 */
final class ResponseWriter {

    private final Query query;
    private final QueryContext context;
    private byte[] out = {};
    private int limit;
    private int at;
    private int answers;
    private int authority;
    private int additional;
    private boolean truncated;
    private int choice;

    ResponseWriter(Query query, QueryContext context) {
        this.query = query;
        this.context = context;
    }

    /** Starts the response to the last parsed query. The contents of the response's OPT record must already be set. */
    void begin(byte[] target, int max) {
        out = target;
        limit = max - query.opt().bytes();
        at = Response.begin(query, target);
        answers = 0;
        authority = 0;
        additional = 0;
        truncated = false;
    }

    /** The offset of the next record. */
    int at() {
        return at;
    }

    /** The number of records in the answer section so far. */
    int answers() {
        return answers;
    }

    /** Whether a record set was omitted. */
    boolean isTruncated() {
        return truncated;
    }

    /** Returns the choice that {@link Answer#write} returned for the last written record set. */
    int choice() {
        return choice;
    }

    /** Adds signed records to the answer section, or sets TC if they do not fit. */
    boolean answer(SignedRecords records, int owner, int apexPointer) {
        boolean written = write(records, owner, apexPointer);
        answers += written ? records.records() : 0;
        return written;
    }

    boolean authority(SignedRecords records, int owner, int apexPointer) {
        boolean written = write(records, owner, apexPointer);
        authority += written ? records.records() : 0;
        return written;
    }

    private boolean write(SignedRecords records, int owner, int apexPointer) {
        if (!fits(records.bytes())) {
            return false;
        }
        at = records.write(out, at, owner, apexPointer);
        return true;
    }

    /** Adds records to the answer section, or sets TC if they do not fit. */
    boolean answer(Answer records, int owner, int apexPointer) {
        boolean written = write(records, owner, apexPointer);
        answers += written ? records.records() : 0;
        return written;
    }

    boolean authority(Answer records, int owner, int apexPointer) {
        boolean written = write(records, owner, apexPointer);
        authority += written ? records.records() : 0;
        return written;
    }

    boolean additional(Answer records, int owner, int apexPointer) {
        boolean written = write(records, owner, apexPointer);
        additional += written ? records.records() : 0;
        return written;
    }

    /** Adds a complete record to the answer section, or sets TC if it does not fit. */
    void answer(byte[] record) {
        if (fits(record.length)) {
            System.arraycopy(record, 0, out, at, record.length);
            at += record.length;
            answers++;
        }
    }

    /** Adds a CNAME record with the target in the first {@code length} bytes of {@code target}. */
    boolean alias(int owner, int ttlSeconds, byte[] target, int length) {
        if (!fits(Answer.FIXED_BYTES + length)) {
            return false;
        }
        Wire.putRecord(out, at, owner, RecordType.CNAME, ttlSeconds, length);
        System.arraycopy(target, 0, out, at + Answer.FIXED_BYTES, length);
        at += Answer.FIXED_BYTES + length;
        answers++;
        return true;
    }

    private boolean write(Answer records, int owner, int apexPointer) {
        if (!fits(records.bytes())) {
            return false;
        }
        choice = records.write(out, at, owner, apexPointer, context);
        at += records.bytes();
        return true;
    }

    private boolean fits(int bytes) {
        truncated |= at + bytes > limit;
        return !truncated;
    }

    /** Finishes the response and returns its length. */
    int end(int flags, int rcode) {
        Response.writeHeader(query, out, truncated ? flags | Response.TRUNCATED : flags, rcode);
        Wire.putU16(out, 6, answers);
        Wire.putU16(out, 8, authority);
        Wire.putU16(out, 10, additional);
        return Response.end(query, out, at, additional, rcode);
    }
}

package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.List;

/**
 * Signatures, or an NSEC or NSEC3 proof with its signatures, in wire format, to be copied into a response.
 * All records have the same owner. The owner ends with a compression pointer, which is filled in for each
 * query.
 *
 * <p>Thread safety: immutable, except that a {@link #view} can be moved and is confined to one thread.
 * Cost: one copy.
 */
public final class SignedRecords {

    private static final int POINTER_BYTES = 2;
    private static final int LENGTH_AT = 8;
    private static final int FIXED_BYTES = 10;

    private byte[] bytes;
    private int start;
    private int length;
    private boolean ownerIsQueryName;
    /** Number of bytes in each record's owner before its compression pointer. */
    private int labelBytes;

    private int records;

    private SignedRecords(byte[] bytes, boolean underName, int labelBytes, int records) {
        this.bytes = bytes;
        this.length = bytes.length;
        this.ownerIsQueryName = underName;
        this.labelBytes = labelBytes;
        this.records = records;
    }

    /** Returns an RRSIG record that starts with the two-byte pointer to its owner. */
    static SignedRecords signature(byte[] bytes) {
        return new SignedRecords(bytes, /* underName= */ true, /* labelBytes= */ 0, /* records= */ 1);
    }

    /**
     * Returns RRSIG records that another server made.
     *
     * @param data RDATA of each record
     */
    public static SignedRecords signatures(List<byte[]> data, int ttlSeconds) {
        byte[] bytes = SignedLayout.signatures(data, ttlSeconds);
        return new SignedRecords(bytes, /* underName= */ true, /* labelBytes= */ 0, data.size());
    }

    /**
     * Returns a proof and its RRSIG record.
     *
     * @param underName whether the owner is the query name; otherwise it is a name below the zone name
     * @param labelBytes number of bytes in each record's owner before its compression pointer
     */
    static SignedRecords proof(byte[] bytes, boolean underName, int labelBytes) {
        return new SignedRecords(bytes, underName, labelBytes, /* records= */ 2);
    }

    /**
     * Serializes a record that another server has signed, and its RRSIG records, for {@link #proof(byte[], int, int,
     * boolean, int, int)}.
     *
     * @param owner owner of all records, in wire format
     * @param labelBytes number of owner bytes before the zone name
     * @param rrsigs RDATA of each RRSIG record
     */
    public static byte[] underOwner(
            byte[] owner, int labelBytes, int type, int ttlSeconds, byte[] data, List<byte[]> rrsigs) {
        return SignedLayout.underOwner(owner, labelBytes, type, ttlSeconds, data, rrsigs);
    }

    /** Creates an empty view, which can later be pointed at records in a larger array. */
    public static SignedRecords view() {
        return new SignedRecords(new byte[0], /* underName= */ true, /* labelBytes= */ 0, /* records= */ 0);
    }

    /** Points this view at the RRSIG records of a record set, in the {@code count} bytes from {@code at}. */
    public void signature(byte[] array, int at, int count) {
        int found = 0;
        for (int record = at; record < at + count; record += recordBytes(array, record, 0)) {
            found++;
        }
        proof(array, at, count, /* isUnderName= */ true, /* ownerLabelBytes= */ 0, found);
    }

    /** Points this view at a proof (NSEC or NSEC3 records); see {@link #proof(byte[], boolean, int)}. */
    public void proof(byte[] array, int at, int count, boolean isUnderName, int ownerLabelBytes, int recordCount) {
        bytes = array;
        start = at;
        length = count;
        ownerIsQueryName = isUnderName;
        labelBytes = ownerLabelBytes;
        records = recordCount;
    }

    /** Truncates this view to its first record, which is the proof without its signatures. */
    public void truncateToFirst() {
        length = recordBytes(bytes, start, labelBytes);
        records = 1;
    }

    private static int recordBytes(byte[] array, int record, int labels) {
        int fixed = record + labels + POINTER_BYTES;
        return labels + POINTER_BYTES + FIXED_BYTES + Wire.u16(array, fixed + LENGTH_AT);
    }

    /** The number of records. */
    public int records() {
        return records;
    }

    /** The size of the records in bytes. */
    public int bytes() {
        return length;
    }

    /** Whether the owner is the query name, or an alias target. */
    public boolean isOwnerQueryName() {
        return ownerIsQueryName;
    }

    /** The number of owner bytes in each record before the compression pointer to the zone name. */
    public int labelBytes() {
        return labelBytes;
    }

    /** Copies the records without filling in the owner pointers. */
    public void copyTo(byte[] out, int at) {
        System.arraycopy(bytes, start, out, at, length);
    }

    /**
     * Copies the records and fills in the owner pointers.
     *
     * @param owner a compression pointer to the query name, or to an alias target
     * @param apexPointer a compression pointer to the zone name
     * @return end offset
     */
    public int write(byte[] out, int at, int owner, int apexPointer) {
        System.arraycopy(bytes, start, out, at, length);
        int pointer = ownerIsQueryName ? owner : apexPointer;
        int end = at + length;
        for (int record = at; record < end; record += recordBytes(out, record, labelBytes)) {
            Wire.putU16(out, record + labelBytes, pointer);
        }
        return end;
    }

    /** The RDATA of the RRSIG record, which is the last one of at most two records. */
    public byte[] rrsigData() {
        int first = records == 2 ? recordBytes(bytes, start, labelBytes) : 0;
        int record = start + first + labelBytes + POINTER_BYTES;
        int data = record + FIXED_BYTES;
        return Arrays.copyOfRange(bytes, data, data + Wire.u16(bytes, record + LENGTH_AT));
    }
}

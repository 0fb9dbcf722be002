package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.Arrays;

/**
 * A signature, or a proof with its signature, in wire format, ready to be copied into a response. One or two compression
 * pointers, to the owner or to the name of the zone, whose places differ from query to query, are filled in.
 *
 * <p>Thread safety: immutable; a {@link #view}, which is moved along many, is confined to one thread. Cost: one copy.
 */
public final class SignedRecords {

    private static final int POINTER_BYTES = 2;
    private static final int LENGTH_AT = 8;
    private static final int FIXED_BYTES = 10;
    private static final int NOWHERE = -1;

    private byte[] bytes;
    private int start;
    private int length;
    private boolean underName;
    private int first;
    private int second;

    private SignedRecords(byte[] bytes, int length, boolean underName, int first, int second) {
        this.bytes = bytes;
        this.length = length;
        this.underName = underName;
        this.first = first;
        this.second = second;
    }

    /** An RRSIG record that begins with the two octets of the pointer to its owner. */
    static SignedRecords signature(byte[] bytes) {
        return new SignedRecords(bytes, bytes.length, /* underName= */ true, 0, NOWHERE);
    }

    /**
     * A proof and its RRSIG record.
     *
     * @param underName whether their owner is the name that is asked, else it is one below the name of the zone
     * @param first where the pointer of the proof is to be filled in
     * @param second where that of its RRSIG record is
     */
    static SignedRecords proof(byte[] bytes, boolean underName, int first, int second) {
        return new SignedRecords(bytes, bytes.length, underName, first, second);
    }

    /** Nothing, until it is moved to what stands in an array of many. */
    public static SignedRecords view() {
        return new SignedRecords(new byte[0], 0, /* underName= */ true, 0, NOWHERE);
    }

    /** Moves a view to an RRSIG record. */
    public void signature(byte[] array, int at, int count) {
        proof(array, at, count, /* isUnderName= */ true, 0, NOWHERE);
    }

    /** Moves a view to a proof; see {@link #proof(byte[], boolean, int, int)}. */
    public void proof(byte[] array, int at, int count, boolean isUnderName, int firstAt, int secondAt) {
        bytes = array;
        start = at;
        length = count;
        underName = isUnderName;
        first = firstAt;
        second = secondAt;
    }

    /** How many records there are. */
    public int records() {
        return second == NOWHERE ? 1 : 2;
    }

    /** How many bytes they take. */
    public int bytes() {
        return length;
    }

    /** Whether the owner is the name that is asked, or one that an alias led to. */
    public boolean isUnderName() {
        return underName;
    }

    /** Where the first pointer stands. */
    public int firstOwner() {
        return first;
    }

    /** Where the second pointer stands; of two records only. */
    public int secondOwner() {
        return second;
    }

    /** Copies them as they are. */
    public void copyTo(byte[] out, int at) {
        System.arraycopy(bytes, start, out, at, length);
    }

    /**
     * Copies them.
     *
     * @param owner a compression pointer to the name that was asked for, or that an alias led to
     * @param apexPointer a compression pointer to the name of the zone
     * @return where they end
     */
    public int write(byte[] out, int at, int owner, int apexPointer) {
        System.arraycopy(bytes, start, out, at, length);
        int pointer = underName ? owner : apexPointer;
        Wire.putU16(out, at + first, pointer);
        if (second != NOWHERE) {
            Wire.putU16(out, at + second, pointer);
        }
        return at + length;
    }

    /** The data of the RRSIG record, which is the last one. */
    public byte[] rrsigData() {
        int record = start + (second == NOWHERE ? first : second) + POINTER_BYTES;
        int data = record + FIXED_BYTES;
        return Arrays.copyOfRange(bytes, data, data + Wire.u16(bytes, record + LENGTH_AT));
    }
}

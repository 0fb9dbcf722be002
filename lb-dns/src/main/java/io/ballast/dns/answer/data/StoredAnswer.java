package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A view of a record set in {@link StoredNames}. One view is reused for many record sets, so that reading
 * allocates nothing. Thread safety: confined to one thread.
 */
final class StoredAnswer extends Answer {

    private static final int LENGTH_AT = 10;

    private final SignedRecords rrsig = SignedRecords.view();
    private byte[] chunk = {};
    private int start;
    private int length;
    private int count;
    private int pointersAt;
    private int pointers;
    private boolean hasOwners;
    private boolean hasRrsig;

    public StoredAnswer() {
        super(0, 0);
    }

    /** Points this object at the record set at offset {@code at}, and returns this object. */
    public StoredAnswer moveTo(byte[] bytes, int at, boolean signed) {
        chunk = bytes;
        hasOwners = Wire.u16(bytes, at) != StoredForm.GLUE;
        count = Wire.u16(bytes, at + 2);
        pointers = Wire.u16(bytes, at + 4);
        length = Wire.u32(bytes, at + 6);
        start = at + StoredForm.SET_HEAD_BYTES;
        pointersAt = start + length;
        hasRrsig = false;
        if (signed) {
            int rrsigAt = pointersAt + pointers * StoredForm.POINTER_BYTES;
            int rrsigBytes = Wire.u16(bytes, rrsigAt);
            hasRrsig = rrsigBytes > 0;
            if (hasRrsig) {
                rrsig.signature(bytes, rrsigAt + 2, rrsigBytes);
            }
        }
        return this;
    }

    /** Points this object at the RRSIG records of its current record set, and returns this object. */
    public StoredAnswer moveToSignatures() {
        int rrsigAt = pointersAt + pointers * StoredForm.POINTER_BYTES;
        count = rrsig.records();
        length = Wire.u16(chunk, rrsigAt);
        start = rrsigAt + 2;
        pointers = 0;
        hasOwners = true;
        hasRrsig = false;
        return this;
    }

    /** Returns the offset of the record set that follows the record set at {@code at}. */
    public static int next(byte[] bytes, int at, boolean signed) {
        int end = at
                + StoredForm.SET_HEAD_BYTES
                + Wire.u32(bytes, at + 6)
                + Wire.u16(bytes, at + 4) * StoredForm.POINTER_BYTES;
        return signed ? end + 2 + Wire.u16(bytes, end) : end;
    }

    @Override
    public int records() {
        return count;
    }

    @Override
    public int bytes() {
        return length;
    }

    @Override
    public boolean isSigned() {
        return hasRrsig;
    }

    @Override
    public SignedRecords rrsig(int choice) {
        return rrsig;
    }

    @Override
    public CanonicalRrset set(int choice) {
        throw new IllegalStateException("the signature is precomputed");
    }

    @Override
    public AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return this;
    }

    @Override
    public int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        System.arraycopy(chunk, start, out, at, length);
        if (hasOwners) {
            for (int record = at; record < at + length; record += FIXED_BYTES + Wire.u16(out, record + LENGTH_AT)) {
                Wire.putU16(out, record, owner);
            }
        }
        for (int i = 0; i < pointers; i++) {
            int pointer = Wire.u32(chunk, pointersAt + i * StoredForm.POINTER_BYTES);
            Wire.putU16(out, at + pointer, apexPointer);
        }
        return 0;
    }

    /**
     * Copies the name in the data of the first record, and decompresses it.
     *
     * @param apex array with the zone name
     * @return length of the copied name
     */
    public int copyName(byte[] target, byte[] apex, int apexStart, int apexBytes) {
        int dataBytes = Wire.u16(chunk, start + LENGTH_AT);
        int written = pointers > 0 ? dataBytes - 2 : dataBytes;
        System.arraycopy(chunk, start + FIXED_BYTES, target, 0, written);
        if (pointers == 0) {
            return written;
        }
        System.arraycopy(apex, apexStart, target, written, apexBytes);
        return written + apexBytes;
    }

    /** The data of the RRSIG record; null if there is none. */
    public byte @Nullable [] rrsigData() {
        return hasRrsig ? rrsig.rrsigData() : null;
    }
}

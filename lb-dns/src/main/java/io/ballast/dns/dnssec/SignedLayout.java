package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.List;

/** Serializes signatures, and the records that they cover, for copying into responses. */
final class SignedLayout {

    private static final int POINTER_BYTES = 2;
    private static final int FIXED_BYTES = 10;
    private static final int CLASS_IN = 1;

    private SignedLayout() {}

    /** Returns an RRSIG record with a placeholder for the owner pointer. */
    static SignedRecords signature(byte[] rrsig, int ttlSeconds) {
        byte[] out = new byte[POINTER_BYTES + FIXED_BYTES + rrsig.length];
        putRrsig(out, POINTER_BYTES, rrsig, ttlSeconds);
        return SignedRecords.signature(out);
    }

    /** Returns concatenated RRSIG records, each with a placeholder for the owner pointer. */
    static byte[] signatures(List<byte[]> rrsigs, int ttlSeconds) {
        int length = 0;
        for (byte[] rrsig : rrsigs) {
            length += POINTER_BYTES + FIXED_BYTES + rrsig.length;
        }
        byte[] out = new byte[length];
        int at = 0;
        for (byte[] rrsig : rrsigs) {
            putRrsig(out, at + POINTER_BYTES, rrsig, ttlSeconds);
            at += POINTER_BYTES + FIXED_BYTES + rrsig.length;
        }
        return out;
    }

    /** Returns a proof and its signature. */
    static SignedRecords proof(DenialRecord proof, byte[] rrsig) {
        byte[] record = proof.set().canonicalForm()[0];
        boolean ownName = proof.ownerLabelBytes() == DenialRecord.OWNER_IS_NAME;
        int labelBytes = ownName ? 0 : proof.ownerLabelBytes();
        int second = labelBytes + POINTER_BYTES + record.length;
        byte[] out = new byte[second + labelBytes + POINTER_BYTES + FIXED_BYTES + rrsig.length];
        System.arraycopy(proof.owner(), 0, out, 0, labelBytes);
        System.arraycopy(record, 0, out, labelBytes + POINTER_BYTES, record.length);
        System.arraycopy(proof.owner(), 0, out, second, labelBytes);
        putRrsig(out, second + labelBytes + POINTER_BYTES, rrsig, proof.set().ttlSeconds());
        return SignedRecords.proof(out, ownName, labelBytes);
    }

    /**
     * Returns a record and its RRSIG records. Each starts with those labels of the owner that precede the zone
     * name.
     */
    static byte[] underOwner(byte[] owner, int labelBytes, int type, int ttlSeconds, byte[] data, List<byte[]> rrsigs) {
        int head = labelBytes + POINTER_BYTES + FIXED_BYTES;
        int length = head + data.length;
        for (byte[] rrsig : rrsigs) {
            length += head + rrsig.length;
        }
        byte[] out = new byte[length];
        System.arraycopy(owner, 0, out, 0, labelBytes);
        putRecord(out, labelBytes + POINTER_BYTES, type, data, ttlSeconds);
        int at = head + data.length;
        for (byte[] rrsig : rrsigs) {
            System.arraycopy(owner, 0, out, at, labelBytes);
            putRrsig(out, at + labelBytes + POINTER_BYTES, rrsig, ttlSeconds);
            at += head + rrsig.length;
        }
        return out;
    }

    private static void putRrsig(byte[] out, int at, byte[] rrsig, int ttlSeconds) {
        putRecord(out, at, DnssecRecordType.RRSIG, rrsig, ttlSeconds);
    }

    private static void putRecord(byte[] out, int at, int type, byte[] data, int ttlSeconds) {
        Wire.putU16(out, at, type);
        Wire.putU16(out, at + 2, CLASS_IN);
        Wire.putU32(out, at + 4, ttlSeconds);
        Wire.putU16(out, at + 8, data.length);
        System.arraycopy(data, 0, out, at + FIXED_BYTES, data.length);
    }
}

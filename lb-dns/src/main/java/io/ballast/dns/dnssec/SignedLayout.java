package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;

/** Lays signatures, and the records that they belong to, out for copying. */
final class SignedLayout {

    private static final int POINTER_BYTES = 2;
    private static final int FIXED_BYTES = 10;
    private static final int CLASS_IN = 1;

    private SignedLayout() {}

    /** The RRSIG record alone, under the owner that the response gives. */
    static SignedRecords signature(byte[] rrsig, int ttlSeconds) {
        byte[] out = new byte[POINTER_BYTES + FIXED_BYTES + rrsig.length];
        putRrsig(out, POINTER_BYTES, rrsig, ttlSeconds);
        return SignedRecords.signature(out);
    }

    /** A proof and its signature. */
    static SignedRecords proof(Proof proof, byte[] rrsig) {
        byte[] record = proof.set().behindOwner()[0];
        boolean ownName = proof.ownerLabelBytes() == Proof.OWNER_IS_NAME;
        int labelBytes = ownName ? 0 : proof.ownerLabelBytes();
        int second = labelBytes + POINTER_BYTES + record.length;
        byte[] out = new byte[second + labelBytes + POINTER_BYTES + FIXED_BYTES + rrsig.length];
        System.arraycopy(proof.owner(), 0, out, 0, labelBytes);
        System.arraycopy(record, 0, out, labelBytes + POINTER_BYTES, record.length);
        System.arraycopy(proof.owner(), 0, out, second, labelBytes);
        putRrsig(out, second + labelBytes + POINTER_BYTES, rrsig, proof.set().ttlSeconds());
        return SignedRecords.proof(out, ownName, labelBytes, second + labelBytes);
    }

    private static void putRrsig(byte[] out, int at, byte[] rrsig, int ttlSeconds) {
        Wire.putU16(out, at, SecurityType.RRSIG);
        Wire.putU16(out, at + 2, CLASS_IN);
        Wire.putU32(out, at + 4, ttlSeconds);
        Wire.putU16(out, at + 8, rrsig.length);
        System.arraycopy(rrsig, 0, out, at + FIXED_BYTES, rrsig.length);
    }
}

package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Serializes names and their records for {@link StoredNames}, one name at a time. Thread safety: confined to one
 * thread.
 */
public final class StoredNameWriter {

    private byte[] bytes = new byte[1024];
    private int at;
    private int flagsAt;
    private int sets;
    private boolean signed;

    /**
     * Starts a name.
     *
     * @param name name in lower case and wire format
     */
    public void begin(byte[] name, boolean delegated, boolean inSignedZone) {
        at = 0;
        sets = 0;
        signed = inSignedZone;
        bytes[at++] = (byte) name.length;
        System.arraycopy(name, 0, bytes, at, name.length);
        at += name.length;
        flagsAt = at;
        bytes[at++] = (byte) ((delegated ? StoredForm.DELEGATED : 0) | (signed ? StoredForm.SIGNED : 0));
        at += 2;
    }

    /**
     * Adds a record set of the name.
     *
     * @param template the records, each with two bytes for a pointer to its owner
     * @param apexPointers offsets in the template of pointers to the zone name
     */
    public void set(
            int type, int records, byte[] template, int length, int[] apexPointers, @Nullable SignedRecords rrsig) {
        add(type, records, template, length, apexPointers, apexPointers.length, rrsig);
    }

    /** Adds the glue: addresses of name servers, with their own owner names. */
    public void glue(int records, byte[] template, int length, int[] apexPointers) {
        add(StoredForm.GLUE, records, template, length, apexPointers, apexPointers.length, null);
    }

    private void add(
            int type,
            int records,
            byte[] template,
            int length,
            int[] pointers,
            int pointerCount,
            @Nullable SignedRecords rrsig) {
        int rrsigBytes = rrsig == null ? 0 : rrsig.bytes();
        reserve(StoredForm.SET_HEAD_BYTES + length + pointerCount * StoredForm.POINTER_BYTES + 2 + rrsigBytes);
        Wire.putU16(bytes, at, type);
        Wire.putU16(bytes, at + 2, records);
        Wire.putU16(bytes, at + 4, pointerCount);
        Wire.putU32(bytes, at + 6, length);
        at += StoredForm.SET_HEAD_BYTES;
        System.arraycopy(template, 0, bytes, at, length);
        at += length;
        for (int i = 0; i < pointerCount; i++) {
            Wire.putU32(bytes, at, pointers[i]);
            at += StoredForm.POINTER_BYTES;
        }
        if (signed) {
            Wire.putU16(bytes, at, rrsigBytes);
            at += 2;
            if (rrsig != null) {
                rrsig.copyTo(bytes, at);
            }
            at += rrsigBytes;
        }
        sets++;
    }

    /**
     * Adds the NSEC or NSEC3 record that proves which record types the name has. Call this last, and only for a
     * zone that this server signs.
     */
    public void proof(NameProof proof) {
        SignedRecords records = proof.records();
        if (records == null) {
            throw new IllegalArgumentException("a proof that is created on demand cannot be stored");
        }
        reserve(StoredForm.PROOF_HEAD_BYTES + records.bytes());
        bytes[flagsAt] |= StoredForm.PROVEN;
        bytes[at] = (byte) (records.isOwnerQueryName() ? 1 : 0);
        Wire.putU16(bytes, at + 1, records.labelBytes());
        Wire.putU16(bytes, at + 3, records.bytes());
        at += StoredForm.PROOF_HEAD_BYTES;
        records.copyTo(bytes, at);
        at += records.bytes();
    }

    private void reserve(int more) {
        if (at + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, at + more));
        }
    }

    /**
     * Ends the name.
     *
     * @return serialized name for {@link StoredNames.Builder#add}; null if it exceeds the maximum size of an arena
     *     entry
     */
    public byte @Nullable [] end() {
        Wire.putU16(bytes, flagsAt + 1, sets);
        return at > ByteArena.MAX_ENTRY_BYTES ? null : Arrays.copyOf(bytes, at);
    }
}

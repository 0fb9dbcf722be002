package io.ballast.dns.answer.data;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Picker;
import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedRrset;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that answer one name and type, compiled to wire format. The number of records and bytes is fixed, so the
 * caller can check the space before writing. The selected records may differ between queries.
 *
 * <p>Thread safety: immutable; state that changes between queries is in the {@link QueryContext}.
 */
public abstract class Answer extends AnswerSource {

    /** Size in bytes of a record's fields before its data, with a compressed owner name. */
    public static final int FIXED_BYTES = 12;

    private final int records;
    private final int bytes;
    private final SignedRrset[] signatures;

    /**
     * @param signatures one signed record set for each subset of the records that {@link #write} can select;
     *     empty if the records are unsigned
     */
    public Answer(int records, int bytes, SignedRrset... signatures) {
        this.records = records;
        this.bytes = bytes;
        this.signatures = signatures;
    }

    /**
     * Returns an answer that always has the same records.
     *
     * @param template the records in wire format
     * @param owners offsets of compression pointers to the records' owner name
     * @param apexPointers offsets of compression pointers to the zone name
     */
    public static Answer fixed(int records, byte[] template, int[] owners, int[] apexPointers) {
        return new FixedAnswer(records, template, owners, apexPointers);
    }

    /** Returns an answer that consists of the RRSIG records. */
    public static Answer of(SignedRecords signatures) {
        byte[] template = new byte[signatures.bytes()];
        signatures.copyTo(template, 0);
        int[] owners = new int[signatures.records()];
        for (int i = 1; i < owners.length; i++) {
            int before = owners[i - 1];
            owners[i] = before + FIXED_BYTES + Wire.u16(template, before + FIXED_BYTES - 2);
        }
        return new FixedAnswer(owners.length, template, owners, new int[0]);
    }

    /** Like {@link #fixed}, but with the signature of the record set. */
    public static Answer signed(int records, byte[] template, int[] owners, int[] apexPointers, SignedRrset signature) {
        return new FixedAnswer(records, template, owners, apexPointers, signature);
    }

    /**
     * Returns an answer that rotates addresses: each query of a thread starts one address after the previous
     * query.
     *
     * @param records number of records in an answer
     * @param cursor index of the thread's cursor that holds the position; must not be shared with other answers
     */
    public static Answer rotating(AddressRecords addresses, int records, int cursor) {
        return new RotatingAnswer(addresses, records, cursor);
    }

    /**
     * Returns an answer with addresses that a picker selects, each at most once. If the answer has room for all
     * addresses, it contains all of them and starts with the selected one.
     *
     * @param records number of records in an answer
     * @param picker picker among {@code backends}
     * @param backends backends of one pool, in the order of {@code addresses}
     */
    public static Answer drawn(AddressRecords addresses, int records, Picker picker, List<Backend> backends) {
        return new DrawnAnswer(addresses, records, picker, new BackendIndex(backends));
    }

    /** The number of records that {@link #write} writes. */
    public int records() {
        return records;
    }

    /** The number of bytes that {@link #write} writes. */
    public int bytes() {
        return bytes;
    }

    /** Whether the records are signed. */
    public boolean isSigned() {
        return signatures.length > 0;
    }

    /** Returns the RRSIG record of a selection that {@link #write} returned; null if it is made on demand. */
    public @Nullable SignedRecords rrsig(int choice) {
        return signatures[choice].rrsig();
    }

    /** Returns the canonical form, as used for signing, of a selection that {@link #write} returned. */
    public CanonicalRrset set(int choice) {
        return signatures[choice].set();
    }

    @Override
    public final Answer select(QueryContext context) {
        return this;
    }

    /**
     * Writes the records.
     *
     * @param owner a compression pointer to the records' owner name
     * @param apexPointer a compression pointer to the zone name
     * @return the selection that was written, for {@link #rrsig}
     */
    public abstract int write(byte[] out, int at, int owner, int apexPointer, QueryContext context);
}

package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Picker;
import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedSet;
import io.ballast.dns.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that answer one name and type, compiled to wire format. How many records and bytes they are is fixed, so
 * whether they fit is known before a byte is written; which ones they are may differ from query to query.
 *
 * <p>Thread safety: immutable; what changes from query to query is kept in the {@link QueryContext}.
 */
public abstract class Answer extends AnswerSource {

    /** Bytes of a record before its data, with a compressed owner. */
    static final int FIXED_BYTES = 12;

    private final int records;
    private final int bytes;
    private final SignedSet[] signatures;

    /** @param signatures of each choice of records that {@link #write} may make; none if they are not signed */
    Answer(int records, int bytes, SignedSet... signatures) {
        this.records = records;
        this.bytes = bytes;
        this.signatures = signatures;
    }

    /**
     * The same records every time.
     *
     * @param template the records in wire format
     * @param owners where in the template a compression pointer to the name that has the records is to be filled in
     * @param apexPointers where a compression pointer to the name of the zone is to be filled in
     */
    public static Answer fixed(int records, byte[] template, int[] owners, int[] apexPointers) {
        return new FixedAnswer(records, template, owners, apexPointers);
    }

    /** Signatures as a set of records of their own. */
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

    /** Like {@link #fixed}, with the signature of the set that the records are. */
    public static Answer signed(int records, byte[] template, int[] owners, int[] apexPointers, SignedSet signature) {
        return new FixedAnswer(records, template, owners, apexPointers, signature);
    }

    /**
     * Some of the addresses in turn, beginning one further with every query that a thread answers.
     *
     * @param records how many of them an answer has
     * @param cursor which of a thread's cursors the turn is kept in; nothing else may use it
     */
    public static Answer rotating(AddressRecords addresses, int records, int cursor) {
        return new RotatingAnswer(addresses, records, cursor);
    }

    /**
     * Addresses drawn by a picker, each at most once; if all have room, all of them, beginning with the one drawn.
     *
     * @param records how many of them an answer has
     * @param picker picks among {@code backends}
     * @param backends of one pool, in the order of {@code addresses}
     */
    public static Answer drawn(AddressRecords addresses, int records, Picker picker, List<Backend> backends) {
        return new DrawnAnswer(addresses, records, picker, new BackendIndex(backends));
    }

    /** How many records {@link #write} writes. */
    int records() {
        return records;
    }

    /** How many bytes {@link #write} writes. */
    int bytes() {
        return bytes;
    }

    /** Whether there are signatures for those who ask for them. */
    boolean isSigned() {
        return signatures.length > 0;
    }

    /** The RRSIG record of what {@link #write} wrote; null if it is made when a name is asked. */
    @Nullable SignedRecords rrsig(int choice) {
        return signatures[choice].rrsig();
    }

    /** What {@link #write} wrote, in the form in which it is signed. */
    CanonicalRrset set(int choice) {
        return signatures[choice].set();
    }

    @Override
    final Answer select(QueryContext context) {
        return this;
    }

    /**
     * Writes the records.
     *
     * @param owner a compression pointer to the name that has the records
     * @param apexPointer a compression pointer to the name of the zone
     * @return which choice of records was made, for {@link #rrsig}
     */
    abstract int write(byte[] out, int at, int owner, int apexPointer, QueryContext context);
}

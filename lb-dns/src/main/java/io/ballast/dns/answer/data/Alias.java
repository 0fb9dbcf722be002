package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.CanonicalRrset;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRecords;
import org.jspecify.annotations.Nullable;

/**
 * A CNAME record and its target.
 *
 * <p>Thread safety: immutable.
 */
public final class Alias extends Answer {

    private final Answer record;
    private final byte[] target;

    /**
     * @param record the CNAME record; its target is its last field, either uncompressed or with a pointer in
     *     place of the zone name
     * @param target the canonical name, in lower case and wire format
     */
    public Alias(Answer record, byte[] target) {
        super(record.records(), record.bytes());
        this.record = record;
        this.target = target;
    }

    /** The canonical name in wire format; must not be changed. */
    byte[] target() {
        return target;
    }

    @Override
    public boolean isSigned() {
        return record.isSigned();
    }

    @Override
    public @Nullable SignedRecords rrsig(int choice) {
        return record.rrsig(choice);
    }

    @Override
    public CanonicalRrset set(int choice) {
        return record.set(choice);
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return this;
    }

    @Override
    public int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        return record.write(out, at, owner, apexPointer, context);
    }
}

package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRrset;
import io.ballast.dns.wire.Wire;

/**
 * An answer that always has the same records. Compression pointers whose value depends on the response are
 * filled in when the answer is written.
 */
public final class FixedAnswer extends Answer {

    /** Represents the response code SERVFAIL; has no records. */
    public static final FixedAnswer SERVFAIL = new FixedAnswer(0, new byte[0], new int[0], new int[0]);

    private final byte[] template;
    private final int[] owners;
    private final int[] apexPointers;

    /**
     * @param owners offsets of compression pointers to the records' owner name
     * @param apexPointers offsets of compression pointers to the zone name
     */
    FixedAnswer(int records, byte[] template, int[] owners, int[] apexPointers, SignedRrset... signatures) {
        super(records, template.length, signatures);
        this.template = template;
        this.owners = owners;
        this.apexPointers = apexPointers;
    }

    @Override
    AnswerSource signed(SetSigner signer, int ttlSeconds) {
        return this;
    }

    @Override
    public int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
        System.arraycopy(template, 0, out, at, template.length);
        for (int pointer : owners) {
            Wire.putU16(out, at + pointer, owner);
        }
        for (int pointer : apexPointers) {
            Wire.putU16(out, at + pointer, apexPointer);
        }
        return 0;
    }
}

package io.ballast.dns.answer;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedSet;
import io.ballast.dns.wire.Wire;

/** The same records every time. Compression pointers to names whose place differs from query to query are filled in. */
final class FixedAnswer extends Answer {

    /** Stands for a response code rather than for records. */
    static final FixedAnswer SERVFAIL = new FixedAnswer(0, new byte[0], new int[0], new int[0]);

    private final byte[] template;
    private final int[] owners;
    private final int[] apexPointers;

    /**
     * @param owners where in the template pointers to the name that has the records stand
     * @param apexPointers where pointers to the name of the zone stand
     */
    FixedAnswer(int records, byte[] template, int[] owners, int[] apexPointers, SignedSet... signatures) {
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
    int write(byte[] out, int at, int owner, int apexPointer, QueryContext context) {
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

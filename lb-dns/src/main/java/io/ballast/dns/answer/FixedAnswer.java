package io.ballast.dns.answer;

import io.ballast.dns.wire.Wire;

/** The same records every time. Compression pointers to the name of the zone, whose place differs, are filled in. */
final class FixedAnswer extends Answer {

    private final byte[] template;
    private final int[] apexPointers;

    /** @param apexPointers where in the template pointers to the name of the zone stand */
    FixedAnswer(int records, byte[] template, int... apexPointers) {
        super(records, template.length);
        this.template = template;
        this.apexPointers = apexPointers;
    }

    @Override
    void write(byte[] out, int at, int apexPointer, QueryContext context) {
        System.arraycopy(template, 0, out, at, template.length);
        for (int pointer : apexPointers) {
            Wire.putU16(out, at + pointer, apexPointer);
        }
    }
}

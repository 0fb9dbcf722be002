package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;

/**
 * Records and their signatures in wire format, ready to be copied into a response. Compression pointers to the owner
 * and to the name of the zone, whose places differ from query to query, are filled in.
 *
 * <p>Thread safety: immutable. Cost: one copy.
 */
public final class SignedRecords {

    private final int records;
    private final byte[] template;
    private final int[] owners;
    private final int[] apexPointers;

    /**
     * @param owners where in the template pointers to the owner stand
     * @param apexPointers where pointers to the name of the zone stand
     */
    SignedRecords(int records, byte[] template, int[] owners, int[] apexPointers) {
        this.records = records;
        this.template = template;
        this.owners = owners;
        this.apexPointers = apexPointers;
    }

    /** How many records there are. */
    public int records() {
        return records;
    }

    /** How many bytes they take. */
    public int bytes() {
        return template.length;
    }

    /**
     * Copies them.
     *
     * @param owner a compression pointer to the name that was asked for, or that an alias led to
     * @param apexPointer a compression pointer to the name of the zone
     * @return where they end
     */
    public int write(byte[] out, int at, int owner, int apexPointer) {
        System.arraycopy(template, 0, out, at, template.length);
        for (int pointer : owners) {
            Wire.putU16(out, at + pointer, owner);
        }
        for (int pointer : apexPointers) {
            Wire.putU16(out, at + pointer, apexPointer);
        }
        return at + template.length;
    }
}

package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.BitSet;

/**
 * The layout of record data that contains names, which may be compressed: fixed bytes, then names, then the
 * remaining bytes. Data of other types is opaque
 * (<a href="https://datatracker.ietf.org/doc/html/rfc3597">RFC 3597</a>).
 *
 * <p>Thread safety: confined to one thread.
 */
final class RecordData {

    /** The offset of the signer's name in the data of an RRSIG record. */
    static final int SIGNER_OFFSET = 18;

    private static final int VARIABLE_REST = -1;
    private static final int MALFORMED = -1;

    private static final int MD = 3;
    private static final int MF = 4;
    private static final int MB = 7;
    private static final int MG = 8;
    private static final int MR = 9;
    private static final int MINFO = 14;
    private static final int RP = 17;
    private static final int AFSDB = 18;
    private static final int RT = 21;
    private static final int SIG = 24;
    private static final int PX = 26;
    private static final int NXT = 30;
    private static final int NAPTR = 35;
    private static final int KX = 36;

    /** The target offset of a record that has no target. */
    static final int NO_TARGET = -1;

    private static final int NAPTR_STRINGS_OFFSET = 4;
    private static final int NAPTR_STRINGS = 3;
    private static final int SOA_REST = 20;

    private final WireName name = new WireName();

    private int fixedLength;
    private int names;
    private int restLength;

    /** Returns whether the data of a record of class IN has a valid length for its type, with well-formed names. */
    boolean isValid(byte[] message, int type, int at, int length, BitSet changing) {
        if (type == RecordType.A || type == RecordType.AAAA) {
            return length == (type == RecordType.A ? 4 : 16);
        }
        layout(message, type, at, length);
        int end = at + length;
        int next = at + fixedLength;
        for (int i = 0; i < names; i++) {
            next = next < end ? name.read(message, next, end, changing) : MALFORMED;
            if (next < 0) {
                return false;
            }
        }
        return next <= end && (restLength == VARIABLE_REST || end - next == restLength);
    }

    /**
     * Copies valid data with its names expanded.
     *
     * @return the end offset of the copy
     */
    int expand(byte[] message, int type, int at, int length, BitSet changing, byte[] out, int outAt) {
        layout(message, type, at, length);
        int next = at + fixedLength;
        System.arraycopy(message, at, out, outAt, fixedLength);
        int outNext = outAt + fixedLength;
        for (int i = 0; i < names; i++) {
            next = name.read(message, next, at + length, changing);
            outNext = name.copy(out, outNext);
        }
        int left = at + length - next;
        System.arraycopy(message, next, out, outNext, left);
        return outNext + left;
    }

    /**
     * Returns the offset of the target, the name of a host or zone that clients connect to; {@link #NO_TARGET} if
     * the type has none. Names that clients do not connect to, such as in PTR and SOA records, are not targets.
     */
    int targetOffset(byte[] message, int type, int at, int length) {
        return switch (type) {
            case RecordType.NS,
                    RecordType.CNAME,
                    RecordType.DNAME,
                    RecordType.MX,
                    RecordType.SRV,
                    RecordType.SVCB,
                    RecordType.HTTPS,
                    NAPTR,
                    AFSDB,
                    RT,
                    KX,
                    MD,
                    MF -> {
                layout(message, type, at, length);
                yield at + fixedLength;
            }
            default -> NO_TARGET;
        };
    }

    private void layout(byte[] message, int type, int at, int length) {
        switch (type) {
            case RecordType.NS, RecordType.CNAME, RecordType.PTR, RecordType.DNAME, MD, MF, MB, MG, MR ->
                setLayout(0, 1, 0);
            case RecordType.MX, AFSDB, RT, KX -> setLayout(2, 1, 0);
            case PX -> setLayout(2, 2, 0);
            case MINFO, RP -> setLayout(0, 2, 0);
            case RecordType.SOA -> setLayout(0, 2, SOA_REST);
            case RecordType.SRV -> setLayout(6, 1, 0);
            case NAPTR -> setLayout(naptrStrings(message, at, length), 1, 0);
            case RecordType.RRSIG, SIG -> setLayout(SIGNER_OFFSET, 1, VARIABLE_REST);
            case RecordType.NSEC, NXT -> setLayout(0, 1, VARIABLE_REST);
            case RecordType.SVCB, RecordType.HTTPS -> setLayout(2, 1, VARIABLE_REST);
            default -> setLayout(0, 0, VARIABLE_REST);
        }
    }

    private void setLayout(int fixedBytes, int nameCount, int restBytes) {
        fixedLength = fixedBytes;
        names = nameCount;
        restLength = restBytes;
    }

    /**
     * Returns the number of bytes before the name of a NAPTR record; the result is greater than {@code length} if the
     * strings are truncated.
     */
    private static int naptrStrings(byte[] message, int at, int length) {
        int next = NAPTR_STRINGS_OFFSET;
        for (int i = 0; i < NAPTR_STRINGS && next < length; i++) {
            next += 1 + Wire.u8(message, at + next);
        }
        return next;
    }
}

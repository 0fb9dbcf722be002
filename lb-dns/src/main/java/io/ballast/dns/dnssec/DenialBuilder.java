package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the records that prove non-existence.
 *
 * <p>With NSEC (compact denial, <a href="https://datatracker.ietf.org/doc/html/rfc9824">RFC 9824</a>), the
 * record of every name points to the next possible name, and its bitmap shows whether the name exists. With
 * NSEC3, a record either matches an existing hash or covers a missing one. A covering record spans only from
 * the hash before the missing hash to the hash after it ("white lies", <a
 * href="https://datatracker.ietf.org/doc/html/rfc7129#appendix-B">RFC 7129 appendix B</a>).
 *
 * <p>Thread safety: confined to one thread.
 */
final class DenialBuilder {

    private static final int NSEC3_FIXED_BYTES = 6;
    private static final int NO_FLAGS = 0;

    private final Nsec3Hash hash = new Nsec3Hash();
    private final byte[] next = new byte[Wire.MAX_NAME_BYTES];

    /**
     * Returns the NSEC or NSEC3 record that proves that a name has exactly the types in the bitmap. {@code name} is in
     * lower case and wire format.
     */
    DenialRecord proveTypes(SignedZone zone, byte[] name, int length, TypeBitmap types) {
        if (!zone.usesNsec3()) {
            return nsec(zone, name, length, types);
        }
        byte[] hashed = hash.of(name, length);
        return nsec3(zone, hashed, Nsec3Hash.plus(hashed, 1), types);
    }

    /** Returns the NSEC record that proves that a name does not exist. The zone must use NSEC. */
    DenialRecord proveMissing(SignedZone zone, byte[] name, int length) {
        return nsec(zone, name, length, zone.missingNameBitmap());
    }

    /** Returns the NSEC3 record that proves that the hash of a name does not exist. */
    DenialRecord proveMissingHash(SignedZone zone, byte[] name, int length) {
        byte[] hashed = hash.of(name, length);
        return nsec3(zone, Nsec3Hash.plus(hashed, -1), Nsec3Hash.plus(hashed, 1), zone.emptyBitmap());
    }

    private DenialRecord nsec(SignedZone zone, byte[] name, int length, TypeBitmap types) {
        int nextLength = NextName.write(name, length, zone.apex().length, next, 0);
        byte[] data = Arrays.copyOf(next, nextLength + types.length());
        types.write(data, nextLength);
        CanonicalRrset set = CanonicalRrset.of(DnssecRecordType.NSEC, zone.negativeTtlSeconds(), List.of(data));
        return new DenialRecord(Arrays.copyOf(name, length), DenialRecord.OWNER_IS_NAME, set);
    }

    private static DenialRecord nsec3(SignedZone zone, byte[] from, byte[] to, TypeBitmap types) {
        byte[] data = new byte[NSEC3_FIXED_BYTES + Nsec3Hash.BYTES + types.length()];
        data[0] = Nsec3Hash.SHA_1;
        data[1] = NO_FLAGS;
        // Three zero bytes: an iteration count of zero and an empty salt.
        data[NSEC3_FIXED_BYTES - 1] = Nsec3Hash.BYTES;
        System.arraycopy(to, 0, data, NSEC3_FIXED_BYTES, Nsec3Hash.BYTES);
        types.write(data, NSEC3_FIXED_BYTES + Nsec3Hash.BYTES);
        byte[] apex = zone.apex();
        byte[] owner = Arrays.copyOf(Nsec3Hash.label(from), Nsec3Hash.LABEL_BYTES + apex.length);
        System.arraycopy(apex, 0, owner, Nsec3Hash.LABEL_BYTES, apex.length);
        CanonicalRrset set = CanonicalRrset.of(DnssecRecordType.NSEC3, zone.negativeTtlSeconds(), List.of(data));
        return new DenialRecord(owner, Nsec3Hash.LABEL_BYTES, set);
    }
}

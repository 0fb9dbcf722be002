package io.ballast.dns.zone.contents;

import io.ballast.dns.dnssec.DnssecRecordType;
import io.ballast.dns.dnssec.presigned.Nsec3Parameters;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.xbill.DNS.NSEC3PARAMRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.utils.base32;

/** Reads the signing parameters of a presigned zone from its records. Any thread may call it. */
public final class PresignedZones {

    private static final base32 LABELS =
            new base32(base32.Alphabet.BASE32HEX, /* padding= */ false, /* lowercase= */ true);

    private PresignedZones() {}

    /**
     * Returns the parameters of the name hashes in a zone's NSEC3 records.
     *
     * @return the parameters; empty if the zone has no complete NSEC3 chain, that is, no NSEC3 record for the zone apex
     */
    public static Optional<Nsec3Parameters> nsec3Parameters(ZoneContents contents) {
        RecordSet parameters = contents.set(contents.apex(), DnssecRecordType.NSEC3PARAM);
        if (parameters == null) {
            return Optional.empty();
        }
        for (Record each : parameters.records()) {
            Optional<Nsec3Parameters> hashing = Nsec3Parameters.of(each.rdataToWireCanonical());
            if (hashing.isPresent() && contents.has(hashed((NSEC3PARAMRecord) each), DnssecRecordType.NSEC3)) {
                return hashing;
            }
        }
        return Optional.empty();
    }

    private static Name hashed(NSEC3PARAMRecord parameters) {
        Name apex = parameters.getName().canonicalize();
        try {
            return Name.fromString(LABELS.toString(parameters.hashName(apex)), apex);
        } catch (NoSuchAlgorithmException | TextParseException e) {
            throw new IllegalStateException("a hash of SHA-1 as a label", e);
        }
    }
}

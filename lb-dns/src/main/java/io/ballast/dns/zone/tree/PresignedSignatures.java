package io.ballast.dns.zone.tree;

import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedRrset;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.RecordSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;

/** The signatures that the primary of a zone has made for the sets of one name. Immutable. */
final class PresignedSignatures {

    /** Data of RRSIG records by the type that they cover. */
    private final Map<Integer, List<byte[]>> byCovered;

    private PresignedSignatures(Map<Integer, List<byte[]>> byCovered) {
        this.byCovered = byCovered;
    }

    /** @param sets all record sets of a name */
    static PresignedSignatures of(Map<Integer, RecordSet> sets) {
        Map<Integer, List<byte[]>> byCovered = new HashMap<>();
        RecordSet signatures = sets.get(RecordType.RRSIG);
        if (signatures != null) {
            for (Record each : signatures.records()) {
                byCovered
                        .computeIfAbsent(((RRSIGRecord) each).getTypeCovered(), type -> new ArrayList<>())
                        .add(each.rdataToWireCanonical());
            }
        }
        return new PresignedSignatures(byCovered);
    }

    /**
     * Returns the record sets of a name without its RRSIG, NSEC and NSEC3 records. Signatures are stored with the
     * record set that they cover, and denial records in the zone's denial chain.
     */
    static Map<Integer, RecordSet> withoutProofs(Map<Integer, RecordSet> sets) {
        Map<Integer, RecordSet> others = new LinkedHashMap<>(sets);
        others.remove(RecordType.RRSIG);
        others.remove(RecordType.NSEC);
        others.remove(RecordType.NSEC3);
        return others;
    }

    boolean has(int type) {
        return byCovered.containsKey(type);
    }

    /** Returns the data of the RRSIG records of a set; empty if the set is not signed. */
    List<byte[]> data(int type) {
        return byCovered.getOrDefault(type, List.of());
    }

    /** The RRSIG records of a set; null if it is not signed. */
    @Nullable SignedRecords of(int type, int ttlSeconds) {
        return has(type) ? SignedRecords.signatures(data(type), ttlSeconds) : null;
    }

    /** Returns a signer that adds the existing signatures to record sets. */
    SetSigner signer() {
        return set -> new SignedRrset(set, of(set.type(), set.servedTtlSeconds()));
    }
}

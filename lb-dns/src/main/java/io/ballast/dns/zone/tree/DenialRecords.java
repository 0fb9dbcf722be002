package io.ballast.dns.zone.tree;

import io.ballast.dns.dnssec.presigned.DenialChain;
import io.ballast.dns.dnssec.presigned.Nsec3Parameters;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.NameCursor;
import io.ballast.dns.zone.contents.PresignedZones;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TypeMask;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/** Sorts the NSEC or NSEC3 records of a zone that its primary has signed. Any thread may call it. */
final class DenialRecords {

    private DenialRecords() {}

    /**
     * Returns the denial chain of a zone. If the zone has NSEC3 records, they form the chain, because NSEC
     * records next to them belong to a chain that is being removed.
     */
    static DenialChain chain(ZoneContents contents) {
        Nsec3Parameters hashing = PresignedZones.nsec3Parameters(contents).orElse(null);
        int type = hashing == null ? RecordType.NSEC : RecordType.NSEC3;
        DenialChain.Builder chain = new DenialChain.Builder(contents.apex().length(), hashing);
        for (NameCursor each = contents.cursor(); each.next(); ) {
            if (each.has(TypeMask.of(type))) {
                add(each.name(), each.sets(), type, hashing, chain);
            }
        }
        return chain.build();
    }

    private static void add(
            Name name,
            Map<Integer, RecordSet> sets,
            int type,
            @Nullable Nsec3Parameters hashing,
            DenialChain.Builder chain) {
        RecordSet set = Objects.requireNonNull(sets.get(type));
        PresignedSignatures signatures = PresignedSignatures.of(sets);
        for (Record each : set.records()) {
            byte[] data = each.rdataToWireCanonical();
            if (hashing == null || Nsec3Parameters.of(data).equals(Optional.of(hashing))) {
                chain.add(name.toWireCanonical(), (int) set.ttl(), data, signatures.data(type));
                return;
            }
        }
    }
}

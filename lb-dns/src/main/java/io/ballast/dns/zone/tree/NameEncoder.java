package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.StoredNameWriter;
import io.ballast.dns.answer.data.StoredNames;
import io.ballast.dns.dnssec.RenewingSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/** Encodes names of one zone with their records in stored form. Thread safety: confined to one thread. */
final class NameEncoder {

    private final ZoneRecords zone;
    private final @Nullable RenewingSigner signer;
    private final StoredNames.@Nullable Signatures previousSignatures;
    private final QueryName lookupName;
    private final StoredNameWriter out = new StoredNameWriter();
    private final RecordWriter writer;
    private byte[] owner = {};
    /** The primary's signatures of the current name; null if the zone is not presigned. */
    private @Nullable PresignedSignatures presignedSignatures;

    /**
     * @param signer the signer of the zone; null if the zone is not signed
     * @param known existing signatures of the signer; null if there are none
     */
    NameEncoder(
            ZoneRecords zone, NameHash hash, @Nullable RenewingSigner signer, StoredNames.@Nullable Signatures known) {
        this.zone = zone;
        this.signer = signer;
        this.previousSignatures = known;
        this.lookupName = new QueryName(hash);
        this.writer = new RecordWriter(zone.contents().apex());
    }

    /**
     * Returns a name with its records in stored form; null if it is too large. An empty non-terminal has no
     * records.
     */
    byte @Nullable [] encode(Name name) {
        Map<Integer, RecordSet> sets = sets(name);
        RecordSet servers = sets.get(RecordType.NS);
        owner = name.toWireCanonical();
        out.begin(
                owner,
                /* delegated= */ servers != null,
                /* inSignedZone= */ signer != null || presignedSignatures != null);
        if (previousSignatures != null) {
            lookupName.read(owner, 0, owner.length);
            lookupName.hash();
            previousSignatures.moveTo(lookupName);
        }
        if (servers == null) {
            sets.values().forEach(this::addSigned);
            addProof(sets.keySet().stream().mapToInt(Integer::intValue).toArray());
        } else {
            addDelegation(servers, sets.get(RecordType.DS));
        }
        return out.end();
    }

    /**
     * Returns the record sets of a name. If the zone is presigned, also stores the primary's signatures of
     * them.
     */
    private Map<Integer, RecordSet> sets(Name name) {
        Map<Integer, RecordSet> sets = zone.contents().sets(name);
        if (!zone.contents().hasSignatures()) {
            return sets;
        }
        presignedSignatures = PresignedSignatures.of(sets);
        return PresignedSignatures.withoutProofs(sets);
    }

    private void addDelegation(RecordSet servers, @Nullable RecordSet ds) {
        add(servers, /* rrsig= */ null);
        RecordWriter glue = zone.glue(servers);
        if (!glue.isEmpty()) {
            glue.storeGlue(out);
        }
        if (ds == null) {
            addProof(RecordType.NS);
        } else {
            addSigned(ds);
            addProof(RecordType.NS, RecordType.DS);
        }
    }

    private void addSigned(RecordSet set) {
        if (presignedSignatures != null) {
            add(set, presignedSignatures.of(set.type(), (int) set.ttl()));
        } else if (signer == null) {
            add(set, /* rrsig= */ null);
        } else {
            byte[] made = previousSignatures == null ? null : previousSignatures.ofSet(set.type());
            add(set, signer.signature(owner, set.canonical((int) set.ttl()), made));
        }
    }

    private void add(RecordSet set, @Nullable SignedRecords rrsig) {
        writer.clear();
        set.records().forEach(each -> writer.add(each, set.ttl()));
        writer.store(set.type(), rrsig, out);
    }

    private void addProof(int... types) {
        if (signer != null) {
            out.proof(signer.proof(owner, previousSignatures == null ? null : previousSignatures.ofProof(), types));
        }
    }
}

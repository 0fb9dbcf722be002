package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.StoredNameWriter;
import io.ballast.dns.answer.StoredNames;
import io.ballast.dns.dnssec.RenewingSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/** Writes names of one zone with their records as they are stored. Thread safety: confined to one thread. */
final class NameEncoder {

    private final ZoneRecords zone;
    private final @Nullable RenewingSigner signer;
    private final StoredNames.@Nullable Signatures known;
    private final QueryName wanted;
    private final StoredNameWriter out = new StoredNameWriter();
    private final RecordWriter writer;
    private byte[] owner = {};

    /**
     * @param signer null if the zone is not signed
     * @param known the signatures that it has made so far; null if there are none
     */
    NameEncoder(
            ZoneRecords zone, NameHash hash, @Nullable RenewingSigner signer, StoredNames.@Nullable Signatures known) {
        this.zone = zone;
        this.signer = signer;
        this.known = known;
        this.wanted = new QueryName(hash);
        this.writer = new RecordWriter(zone.contents().apex());
    }

    /** Returns a name with its records, none for one that only has names below; null if that is too large. */
    byte @Nullable [] encode(Name name) {
        Map<Integer, RecordSet> sets = zone.contents().sets(name);
        RecordSet servers = sets.get(RecordType.NS);
        owner = name.toWireCanonical();
        out.begin(owner, /* delegated= */ servers != null, /* inSignedZone= */ signer != null);
        if (known != null) {
            wanted.read(owner, 0, owner.length);
            wanted.hash();
            known.moveTo(wanted);
        }
        if (servers == null) {
            sets.values().forEach(set -> add(set, signer));
            prove(sets.keySet().stream().mapToInt(Integer::intValue).toArray());
        } else {
            addDelegation(servers, sets.get(RecordType.DS));
        }
        return out.end();
    }

    private void addDelegation(RecordSet servers, @Nullable RecordSet ds) {
        add(servers, /* with= */ null);
        RecordWriter glue = zone.glue(servers);
        if (!glue.isEmpty()) {
            glue.storeGlue(out);
        }
        if (ds == null) {
            prove(RecordType.NS);
        } else {
            add(ds, signer);
            prove(RecordType.NS, RecordType.DS);
        }
    }

    private void add(RecordSet set, @Nullable RenewingSigner with) {
        writer.clear();
        set.records().forEach(each -> writer.add(each, set.ttl()));
        if (with == null) {
            writer.store(set.type(), null, out);
        } else {
            byte[] made = known == null ? null : known.ofSet(set.type());
            writer.store(set.type(), with.signature(owner, set.canonical((int) set.ttl()), made), out);
        }
    }

    private void prove(int... types) {
        if (signer != null) {
            out.proof(signer.proof(owner, known == null ? null : known.ofProof(), types));
        }
    }
}

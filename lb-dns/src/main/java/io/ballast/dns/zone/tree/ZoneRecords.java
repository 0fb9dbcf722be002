package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.data.Alias;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.Referral;
import io.ballast.dns.answer.data.Rewrite;
import io.ballast.dns.answer.data.Zone;
import io.ballast.dns.answer.data.ZoneAnswers;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.dnssec.presigned.DenialChain;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/** Compiles the records of one zone into answers. Immutable; used concurrently by the compiler and the signer. */
final class ZoneRecords {

    private static final int ANY_TTL_SECONDS = 3600;

    /** The answer to ANY queries for every name that has records. */
    static final Answer ANY = RecordWriter.minimalAnyAnswer(ANY_TTL_SECONDS);

    private final ZoneContents contents;
    private final Zone zone;
    private final String zoneName;

    /**
     * Prepares the compilation of a zone's records.
     *
     * @param number the number of the zone, unique among zones
     * @param isMissing whether it is a secondary zone that has no data to answer queries with
     */
    ZoneRecords(ZoneContents contents, int number, boolean isMissing) {
        this.contents = contents;
        this.zone = new Zone(contents.apex().length(), number, isMissing);
        this.zoneName = contents.apex().toString(/* omitFinalDot= */ true);
    }

    /** Returns the data that all names of the zone share. */
    ZoneAnswers zoneAnswers(@Nullable ZoneSigner signer) {
        SOARecord soa = contents.requireSoa();
        int ttl = Ttl.negative(soa);
        SetSigner ofApex = signer == null
                ? primarySignatures(contents.apex(), RecordType.SOA)
                : signer.signerFor(contents.apex().toWireCanonical());
        DenialChain denial = contents.hasSignatures() ? DenialRecords.chain(contents) : null;
        if (ofApex == null) {
            RecordWriter writer = new RecordWriter(contents.apex());
            writer.add(soa, ttl);
            return new ZoneAnswers(writer.answer(), /* signed= */ null, denial);
        }
        Answer negative = RecordWriter.signed(RecordSet.of(soa), ttl, contents.apex(), ofApex);
        return new ZoneAnswers(negative, signer == null ? null : signer.zone(), denial);
    }

    /** Returns the signatures of a record set that the primary made; null if it made none. */
    private @Nullable SetSigner primarySignatures(Name name, int type) {
        if (!contents.hasSignatures()) {
            return null;
        }
        PresignedSignatures signatures = PresignedSignatures.of(contents.sets(name));
        return signatures.has(type) ? signatures.signer() : null;
    }

    /**
     * Returns the answer to ANY; null in a presigned zone, where a record set of the name is used (RFC 8482 section
     * 4.1).
     */
    @Nullable Answer any() {
        return contents.hasSignatures() ? null : ANY;
    }

    ZoneContents contents() {
        return contents;
    }

    Zone zone() {
        return zone;
    }

    /** The name of the zone, absolute and without the final dot. */
    String zoneName() {
        return zoneName;
    }

    /**
     * Returns the answers of a name, except those of services.
     *
     * @param signer the signer of the zone; null if the zone is not signed
     */
    NameAnswers answers(Name name, @Nullable ZoneSigner signer) {
        if (contents.hasSignatures()) {
            return presigned(name);
        }
        Map<Integer, RecordSet> sets = contents.sets(name);
        SetSigner ofName = signer == null ? null : signer.signerFor(name.toWireCanonical());
        return answers(name, sets, type -> ofName, signer);
    }

    /** Returns the answers of a name with the signatures that the zone's primary made. */
    private NameAnswers presigned(Name name) {
        Map<Integer, RecordSet> all = contents.sets(name);
        PresignedSignatures signatures = PresignedSignatures.of(all);
        SetSigner given = signatures.signer();
        Map<Integer, RecordSet> sets = PresignedSignatures.withoutProofs(all);
        NameAnswers answers = answers(name, sets, type -> signatures.has(type) ? given : null, /* signer= */ null);
        if (name.isWild() && all.containsKey(RecordType.NSEC)) {
            // A wildcard also answers NSEC queries for the names that it matches. NSEC records of existing names are
            // found in the zone's denial chain.
            answers = answers.with(RecordType.NSEC, answer(all, RecordType.NSEC, type -> given));
        }
        for (RecordSet set : sets.values()) {
            if (contents.isDelegated(name)) {
                break; // at a delegation, only DS is answered
            }
            Answer any = answer(sets, set.type(), type -> signatures.has(type) ? given : null);
            answers = answers.with(RecordType.ANY, any);
            SignedRecords rrsig = signatures.of(set.type(), (int) set.ttl());
            if (rrsig != null) {
                return answers.with(RecordType.RRSIG, Answer.of(rrsig));
            }
        }
        return answers;
    }

    private NameAnswers answers(
            Name name,
            Map<Integer, RecordSet> sets,
            IntFunction<@Nullable SetSigner> signers,
            @Nullable ZoneSigner signer) {
        if (contents.isDelegated(name)) {
            NameAnswers ofParent = sets.containsKey(RecordType.DS)
                    ? NameAnswers.NONE.with(RecordType.DS, answer(sets, RecordType.DS, signers))
                    : NameAnswers.NONE;
            return ofParent.with(referral(name));
        }
        NameAnswers answers = sets.isEmpty() ? NameAnswers.NONE : NameAnswers.NONE.with(RecordType.ANY, ANY);
        for (int type : sets.keySet()) {
            Answer answer = answer(sets, type, signers);
            answers = answers.with(type, answer);
            if (type == RecordType.CNAME && first(sets, type) instanceof CNAMERecord cname) {
                Name target = cname.getTarget().canonicalize();
                answers = answers.withAlias(new Alias(answer, target.toWire()));
            } else if (type == RecordType.DNAME && first(sets, type) instanceof DNAMERecord dname) {
                byte[] target = dname.getTarget().canonicalize().toWire();
                int ttl = (int) Objects.requireNonNull(sets.get(type)).ttl();
                answers = answers.with(new Rewrite(answer, target, ttl));
            }
        }
        return signer != null && name.equals(contents.apex()) ? withKeys(answers, signer) : answers;
    }

    /** Returns {@code answers} with the proof that the name has no records of other types. */
    NameAnswers proven(Name name, NameAnswers answers, ZoneSigner signer) {
        int[] types = answers.types();
        if (contents.isDelegated(name)) {
            types = Arrays.copyOf(types, types.length + 1);
            types[types.length - 1] = RecordType.NS;
        }
        return answers.with(signer.proof(name.toWireCanonical(), types));
    }

    private NameAnswers withKeys(NameAnswers answers, ZoneSigner signer) {
        Name apex = contents.apex();
        SetSigner ofApex = signer.signerFor(apex.toWireCanonical());
        NameAnswers all = answers;
        for (SignedZone.KeyRecords keys : signer.zone().keyRecords()) {
            List<Record> records = keys.data().stream()
                    .map(data -> Record.newRecord(apex, keys.type(), DClass.IN, keys.ttlSeconds(), data))
                    .toList();
            RecordSet set = new RecordSet(apex, keys.type(), keys.ttlSeconds(), records);
            all = all.with(keys.type(), RecordWriter.signed(set, keys.ttlSeconds(), apex, ofApex));
        }
        return all;
    }

    private Answer answer(Map<Integer, RecordSet> sets, int type, IntFunction<@Nullable SetSigner> signers) {
        RecordSet set = Objects.requireNonNull(sets.get(type));
        SetSigner signer = signers.apply(type);
        return signer == null
                ? RecordWriter.answer(set, contents.apex())
                : RecordWriter.signed(set, set.ttl(), contents.apex(), signer);
    }

    private static @Nullable Record first(Map<Integer, RecordSet> sets, int type) {
        RecordSet set = sets.get(type);
        return set == null ? null : set.records().get(0);
    }

    private Referral referral(Name cut) {
        RecordSet servers = Objects.requireNonNull(contents.set(cut, RecordType.NS));
        RecordWriter glue = glue(servers);
        return new Referral(RecordWriter.answer(servers, contents.apex()), glue.isEmpty() ? null : glue.answer());
    }

    /** Returns the glue: the addresses of a delegation's name servers, as far as this zone contains them. */
    RecordWriter glue(RecordSet servers) {
        RecordWriter glue = new RecordWriter(contents.apex());
        for (Record server : servers.records()) {
            Name target = ((NSRecord) server).getTarget().canonicalize();
            addAddresses(target, RecordType.A, glue);
            addAddresses(target, RecordType.AAAA, glue);
        }
        return glue;
    }

    private void addAddresses(Name server, int type, RecordWriter glue) {
        RecordSet set = contents.set(server, type);
        if (set != null) {
            set.records().forEach(address -> glue.addNamed(address, set.ttl()));
        }
    }
}

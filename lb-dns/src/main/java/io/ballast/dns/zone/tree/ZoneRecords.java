package io.ballast.dns.zone.tree;

import io.ballast.dns.answer.Alias;
import io.ballast.dns.answer.Answer;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.Referral;
import io.ballast.dns.answer.Rewrite;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.answer.ZoneAnswers;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/** Compiles the records of one zone into answers. Immutable: the compiler and the signer use it at once. */
final class ZoneRecords {

    private static final int ANY_TTL_SECONDS = 3600;

    /** The answer to ANY of every name that has records. */
    static final Answer ANY = RecordWriter.insteadOfAny(ANY_TTL_SECONDS);

    private final ZoneContents contents;
    private final Zone zone;
    private final String text;

    /**
     * @param number of the zone, none of another
     * @param isMissing whether there is nothing to answer from
     */
    ZoneRecords(ZoneContents contents, int number, boolean isMissing) {
        this.contents = contents;
        this.zone = new Zone(contents.apex().length(), number, isMissing);
        this.text = contents.apex().toString(/* omitFinalDot= */ true);
    }

    /** What is the same for all names of the zone. */
    ZoneAnswers common(@Nullable ZoneSigner signer) {
        SOARecord soa = contents.startOfAuthority();
        int ttl = Ttl.negative(soa);
        if (signer == null) {
            RecordWriter writer = new RecordWriter(contents.apex());
            writer.add(soa, ttl);
            return new ZoneAnswers(writer.answer(), null);
        }
        SetSigner ofApex = signer.of(contents.apex().toWireCanonical());
        Answer negative = RecordWriter.signed(RecordSet.of(soa), ttl, contents.apex(), ofApex);
        return new ZoneAnswers(negative, signer.zone());
    }

    ZoneContents contents() {
        return contents;
    }

    Zone zone() {
        return zone;
    }

    /** The name of the zone, absolute and without the final dot. */
    String text() {
        return text;
    }

    /**
     * What a name answers, services aside.
     *
     * @param signer null if the zone is not signed
     */
    NameAnswers answers(Name name, @Nullable ZoneSigner signer) {
        Map<Integer, RecordSet> sets = contents.sets(name);
        SetSigner ofName = signer == null ? null : signer.of(name.toWireCanonical());
        if (contents.isDelegated(name)) {
            NameAnswers ofParent = sets.containsKey(RecordType.DS)
                    ? NameAnswers.NONE.with(RecordType.DS, answer(sets, RecordType.DS, ofName))
                    : NameAnswers.NONE;
            return ofParent.with(referral(name));
        }
        NameAnswers answers = sets.isEmpty() ? NameAnswers.NONE : NameAnswers.NONE.with(RecordType.ANY, ANY);
        for (int type : sets.keySet()) {
            answers = answers.with(type, answer(sets, type, ofName));
        }
        if (signer != null && name.equals(contents.apex())) {
            answers = withKeys(answers, signer);
        }
        if (first(sets, RecordType.CNAME) instanceof CNAMERecord cname) {
            Name target = cname.getTarget().canonicalize();
            answers = answers.withAlias(new Alias(answer(sets, RecordType.CNAME, ofName), target.toWire()));
        }
        if (first(sets, RecordType.DNAME) instanceof DNAMERecord dname) {
            byte[] target = dname.getTarget().canonicalize().toWire();
            int ttl = (int) Objects.requireNonNull(sets.get(RecordType.DNAME)).ttl();
            answers = answers.with(new Rewrite(answer(sets, RecordType.DNAME, ofName), target, ttl));
        }
        return answers;
    }

    /** These answers, and what proves that the name has no other types. */
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
        SetSigner ofApex = signer.of(apex.toWireCanonical());
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

    private Answer answer(Map<Integer, RecordSet> sets, int type, @Nullable SetSigner signer) {
        RecordSet set = Objects.requireNonNull(sets.get(type));
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

    /** The addresses of the servers of a delegation, as far as they stand in the zone. */
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

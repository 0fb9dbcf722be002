package io.ballast.dns.zone;

import io.ballast.dns.answer.Alias;
import io.ballast.dns.answer.Answer;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.Place;
import io.ballast.dns.answer.Referral;
import io.ballast.dns.answer.Rewrite;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.wire.RecordType;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/** Compiles the records of one zone into answers. Used by the control plane. */
final class ZoneRecords {

    private static final int ANY_TTL_SECONDS = 3600;

    /** The answer to ANY of every name that has records. */
    static final Answer ANY = RecordWriter.insteadOfAny(ANY_TTL_SECONDS);

    private final ZoneContents contents;
    private final Zone zone;

    ZoneRecords(ZoneContents contents) {
        this.contents = contents;
        this.zone = new Zone(contents.apex().length(), negative(contents));
    }

    /** The SOA record lives as long as the negative answer (RFC 2308 section 3). */
    private static Answer negative(ZoneContents contents) {
        SOARecord soa = Objects.requireNonNull(contents.soa());
        RecordWriter writer = new RecordWriter(contents.apex());
        writer.add(soa, Math.min(soa.getTTL(), soa.getMinimum()));
        return writer.answer();
    }

    ZoneContents contents() {
        return contents;
    }

    Zone zone() {
        return zone;
    }

    /**
     * What a name answers, services aside.
     *
     * @param places tells where a name leads, null outside our zones
     */
    NameAnswers answers(Name name, Function<Name, @Nullable Place> places) {
        Map<Integer, RecordSet> sets = contents.sets(name);
        if (contents.isDelegated(name)) {
            NameAnswers ofParent = sets.containsKey(RecordType.DS)
                    ? NameAnswers.NONE.with(RecordType.DS, answer(sets, RecordType.DS))
                    : NameAnswers.NONE;
            return ofParent.with(referral(name));
        }
        NameAnswers answers = sets.isEmpty() ? NameAnswers.NONE : NameAnswers.NONE.with(RecordType.ANY, ANY);
        for (int type : sets.keySet()) {
            answers = answers.with(type, answer(sets, type));
        }
        if (first(sets, RecordType.CNAME) instanceof CNAMERecord cname) {
            Name target = cname.getTarget().canonicalize();
            answers = answers.with(new Alias(answer(sets, RecordType.CNAME), target.toWire(), places.apply(target)));
        }
        if (first(sets, RecordType.DNAME) instanceof DNAMERecord dname) {
            byte[] target = dname.getTarget().canonicalize().toWire();
            int ttl = (int) Objects.requireNonNull(sets.get(RecordType.DNAME)).ttl();
            answers = answers.with(new Rewrite(answer(sets, RecordType.DNAME), target, ttl));
        }
        return answers;
    }

    private Answer answer(Map<Integer, RecordSet> sets, int type) {
        return RecordWriter.answer(Objects.requireNonNull(sets.get(type)), contents.apex());
    }

    private static @Nullable Record first(Map<Integer, RecordSet> sets, int type) {
        RecordSet set = sets.get(type);
        return set == null ? null : set.records().get(0);
    }

    private Referral referral(Name cut) {
        RecordSet servers = Objects.requireNonNull(contents.set(cut, RecordType.NS));
        RecordWriter glue = new RecordWriter(contents.apex());
        for (Record server : servers.records()) {
            Name target = ((NSRecord) server).getTarget().canonicalize();
            addAddresses(target, RecordType.A, glue);
            addAddresses(target, RecordType.AAAA, glue);
        }
        return new Referral(RecordWriter.answer(servers, contents.apex()), glue.isEmpty() ? null : glue.answer());
    }

    private void addAddresses(Name server, int type, RecordWriter glue) {
        RecordSet set = contents.set(server, type);
        if (set != null) {
            set.records().forEach(address -> glue.addNamed(address, set.ttl()));
        }
    }
}

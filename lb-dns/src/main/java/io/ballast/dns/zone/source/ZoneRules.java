package io.ballast.dns.zone.source;

import io.ballast.core.config.DnssecConfig;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/** What the records of a zone must be like together. Confined to the thread that reads. */
final class ZoneRules {

    /** Made by the server itself where a zone is signed. */
    private static final Set<Integer> OF_SIGNING =
            Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM, Type.DNSKEY, Type.CDS, Type.CDNSKEY);

    private static final Set<Integer> ONE_ONLY = Set.of(Type.SOA, Type.CNAME, Type.DNAME);

    private final ZoneContents zone;
    private final List<RecordProblem> problems = new ArrayList<>();

    private ZoneRules(ZoneContents zone) {
        this.zone = zone;
    }

    /**
     * Everything that is wrong.
     *
     * @param complete whether these are all records of the zone: else none is missed
     */
    static List<RecordProblem> problems(ZoneContents zone, boolean complete) {
        return problems(zone, complete, zone.names());
    }

    /** Likewise of some names; the others are known to be right. */
    static List<RecordProblem> problems(ZoneContents zone, boolean complete, Iterable<Name> names) {
        ZoneRules rules = new ZoneRules(zone);
        if (complete) {
            rules.checkApex();
            names.forEach(rules::checkDelegation);
        }
        names.forEach(rules::checkName);
        return rules.problems;
    }

    /**
     * What is wrong with a zone that is signed: while a key is replaced, the old one stays until all that it signed has
     * left all caches, which takes as long as the longest TTL.
     */
    static List<RecordProblem> problems(ZoneContents zone, DnssecConfig signing) {
        return problems(zone, signing, zone.visible());
    }

    /** Likewise of some names that queries find; the others are known to be right. */
    static List<RecordProblem> problems(ZoneContents zone, DnssecConfig signing, Iterable<Name> names) {
        ZoneRules rules = new ZoneRules(zone);
        long most = signing.maxTtl().toSeconds();
        for (Name name : names) {
            for (RecordSet set : zone.sets(name).values()) {
                boolean signed = set.type() == Type.DS || !zone.isDelegated(name);
                if (signed && set.ttl() > most) {
                    String records = Type.string(set.type()) + " records with a TTL of " + set.ttl() + " s";
                    rules.problem(name, set.type(), records + " (expected: at most dnssec.max_ttl, " + most + " s)");
                }
            }
        }
        return rules.problems;
    }

    private void checkApex() {
        if (zone.soa() == null) {
            problem(zone.apex(), Type.ANY, "no SOA record (expected: one)");
        }
        if (zone.set(zone.apex(), Type.NS) == null) {
            problem(zone.apex(), Type.ANY, "no NS record (expected: at least one)");
        }
    }

    private void checkName(Name name) {
        if (zone.isPlain(name)) {
            return;
        }
        Map<Integer, RecordSet> sets = zone.sets(name);
        sets.values().forEach(set -> checkSet(name, set));
        if (sets.containsKey(Type.CNAME) && sets.size() > 1) {
            problem(name, Type.CNAME, "a CNAME record beside others (expected: it alone, RFC 1034 section 3.6.2)");
        }
        if (sets.containsKey(Type.DNAME) && sets.containsKey(Type.NS) && !name.equals(zone.apex())) {
            problem(
                    name,
                    Type.DNAME,
                    "a DNAME record at a delegation (expected: one or the other, RFC 6672 section 2.3)");
        }
        if (name.isWild() && !name.equals(zone.apex()) && (sets.containsKey(Type.NS) || sets.containsKey(Type.DNAME))) {
            problem(
                    name,
                    sets.containsKey(Type.NS) ? Type.NS : Type.DNAME,
                    "a wildcard that delegates or rewrites (expected: NS and DNAME at other names, RFC 4592 section"
                            + " 4)");
        }
    }

    private void checkDelegation(Name name) {
        if (zone.set(name, Type.DS) != null && !zone.isDelegated(name)) {
            problem(name, Type.DS, "a DS record without a delegation (expected: NS records at the same name)");
        }
    }

    private void checkSet(Name name, RecordSet set) {
        if (OF_SIGNING.contains(set.type())) {
            problem(
                    name,
                    set.type(),
                    Type.string(set.type()) + " (expected: no records of DNSSEC but DS; the server makes them)");
        }
        if (ONE_ONLY.contains(set.type()) && set.records().size() > 1) {
            String what = set.records().size() + " " + Type.string(set.type()) + " records (expected: one)";
            problems.add(new RecordProblem(name, set.type(), set.records().get(1), what));
        }
        if (set.type() == Type.SOA && !name.equals(zone.apex())) {
            problem(name, Type.SOA, "a SOA record (expected: at " + zone.apex() + " only)");
        }
    }

    private void problem(Name name, int type, String what) {
        problems.add(new RecordProblem(name, type, null, what));
    }
}

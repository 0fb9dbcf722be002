package io.ballast.dns.zone;

import io.ballast.core.config.DnssecConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/** What the records of a zone must be like together. Used by the control plane. */
final class ZoneRules {

    /** Made by the server itself where a zone is signed. */
    private static final Set<Integer> OF_SIGNING =
            Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM, Type.DNSKEY, Type.CDS, Type.CDNSKEY);

    private static final Set<Integer> ONE_ONLY = Set.of(Type.SOA, Type.CNAME, Type.DNAME);

    private final ZoneContents zone;
    private final List<String> problems = new ArrayList<>();

    private ZoneRules(ZoneContents zone) {
        this.zone = zone;
    }

    /** Everything that is wrong, in words. */
    static List<String> problems(ZoneContents zone) {
        ZoneRules rules = new ZoneRules(zone);
        rules.checkApex();
        zone.names().forEach(rules::checkName);
        return rules.problems;
    }

    /**
     * What is wrong with a zone that is signed: while a key is replaced, the old one stays until all that it signed has
     * left all caches, which takes as long as the longest TTL.
     */
    static List<String> problems(ZoneContents zone, DnssecConfig signing) {
        ZoneRules rules = new ZoneRules(zone);
        long most = signing.maxTtl().toSeconds();
        for (Name name : zone.visible()) {
            for (RecordSet set : zone.sets(name).values()) {
                boolean signed = set.type() == Type.DS || !zone.isDelegated(name);
                if (signed && set.ttl() > most) {
                    String records = Type.string(set.type()) + " records with a TTL of " + set.ttl() + " s";
                    rules.problem(name, records + " (expected: at most dnssec.max_ttl, " + most + " s)");
                }
            }
        }
        return rules.problems;
    }

    private void checkApex() {
        if (zone.soa() == null) {
            problem(zone.apex(), "no SOA record (expected: one)");
        }
        if (zone.set(zone.apex(), Type.NS) == null) {
            problem(zone.apex(), "no NS record (expected: at least one)");
        }
    }

    private void checkName(Name name) {
        if (!name.subdomain(zone.apex())) {
            problem(name, "outside the zone (expected: a name in " + zone.apex() + ")");
            return;
        }
        Map<Integer, RecordSet> sets = zone.sets(name);
        sets.values().forEach(set -> checkSet(name, set));
        if (sets.containsKey(Type.CNAME) && sets.size() > 1) {
            problem(name, "a CNAME record beside others (expected: it alone, RFC 1034 section 3.6.2)");
        }
        if (sets.containsKey(Type.DNAME) && sets.containsKey(Type.NS) && !name.equals(zone.apex())) {
            problem(name, "a DNAME record at a delegation (expected: one or the other, RFC 6672 section 2.3)");
        }
        if (name.isWild() && (sets.containsKey(Type.NS) || sets.containsKey(Type.DNAME))) {
            problem(
                    name,
                    "a wildcard that delegates or rewrites (expected: NS and DNAME at other names, RFC 4592 section 4)");
        }
        if (sets.containsKey(Type.DS) && !zone.isDelegated(name)) {
            problem(name, "a DS record without a delegation (expected: NS records at the same name)");
        }
    }

    private void checkSet(Name name, RecordSet set) {
        if (OF_SIGNING.contains(set.type())) {
            problem(name, Type.string(set.type()) + " (expected: no records of DNSSEC but DS; the server makes them)");
        }
        if (ONE_ONLY.contains(set.type()) && set.records().size() > 1) {
            problem(name, set.records().size() + " " + Type.string(set.type()) + " records (expected: one)");
        }
        if (set.type() == Type.SOA && !name.equals(zone.apex())) {
            problem(name, "a SOA record (expected: at " + zone.apex() + " only)");
        }
    }

    private void problem(Name name, String what) {
        problems.add(name + ": " + what);
    }
}

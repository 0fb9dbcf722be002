package io.ballast.dns.zone.source;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.presigned.Nsec3Parameters;
import io.ballast.dns.zone.contents.NameCursor;
import io.ballast.dns.zone.contents.PresignedZones;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TypeMask;
import io.ballast.dns.zone.contents.ZoneContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/** Checks the records of a zone as a whole. Confined to the reading thread. */
final class ZoneRules {

    /** Types that the server generates for a signed zone. */
    private static final Set<Integer> DNSSEC_TYPES =
            Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM, Type.DNSKEY, Type.CDS, Type.CDNSKEY);

    /** Types that are valid in a signed zone only. */
    private static final Set<Integer> SIGNATURE_TYPES = Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3);

    private static final Set<Integer> TYPES_ALLOWED_WITH_CNAME = Set.of(Type.CNAME, Type.RRSIG, Type.NSEC);

    private static final Set<Integer> SINGLETON_TYPES = Set.of(Type.SOA, Type.CNAME, Type.DNAME);

    private static final long DELEGATION_SIGNERS = TypeMask.of(Type.DS);

    /** Types that may be combined freely at any name. */
    private static final long INDEPENDENT = TypeMask.of(Type.A, Type.AAAA, Type.TXT);

    private static final long ALWAYS_CHECKED_TYPES = TypeMask.OTHERS
            | TypeMask.of(Type.SOA, Type.DS, Type.RRSIG, Type.NSEC, Type.DNSKEY, Type.NSEC3, Type.NSEC3PARAM)
            | TypeMask.of(Type.CDS, Type.CDNSKEY);

    private final ZoneContents zone;
    private final boolean isSignedHere;
    private final List<RecordProblem> problems = new ArrayList<>();

    private ZoneRules(ZoneContents zone, boolean isSignedHere) {
        this.zone = zone;
        this.isSignedHere = isSignedHere;
    }

    /**
     * Returns all violations of the zone rules.
     *
     * @param complete whether {@code zone} contains all records of the zone; otherwise missing records are not
     *     reported
     * @param isSignedHere whether the server signs the zone
     */
    static List<RecordProblem> problems(ZoneContents zone, boolean complete, boolean isSignedHere) {
        ZoneRules rules = new ZoneRules(zone, isSignedHere);
        if (complete) {
            rules.checkApex();
            rules.checkSignatures();
            for (NameCursor each = zone.cursor(); each.next(); ) {
                if (each.has(DELEGATION_SIGNERS)) {
                    rules.checkDelegation(each.name());
                }
            }
        }
        for (NameCursor each = zone.cursor(); each.next(); ) {
            if (!isTriviallyValid(each)) {
                rules.checkName(each.name(), each.sets());
            }
        }
        return rules.problems;
    }

    /**
     * Like {@link #problems(ZoneContents, boolean, boolean)}, but checks only some names; all other names are
     * known to be valid.
     */
    static List<RecordProblem> problems(ZoneContents zone, boolean isSignedHere, Iterable<Name> names) {
        ZoneRules rules = new ZoneRules(zone, isSignedHere);
        rules.checkApex();
        names.forEach(rules::checkDelegation);
        names.forEach(name -> rules.checkName(name, zone.sets(name)));
        return rules.problems;
    }

    /** Whether the record types of a name are sufficient to show that it has no errors, as for most names. */
    private static boolean isTriviallyValid(NameCursor name) {
        if (!name.has(~INDEPENDENT)) {
            return true;
        }
        return name.hasSingleRecord() && !name.has(ALWAYS_CHECKED_TYPES) && !name.hasWildcardLabel();
    }

    /**
     * Returns the errors in the TTLs of a signed zone. A TTL must not exceed the configured maximum: during a key
     * rollover, the old key stays in the zone for this time, until all caches have dropped its signatures.
     */
    static List<RecordProblem> problems(ZoneContents zone, DnssecConfig signing) {
        return problems(zone, signing, zone.visible());
    }

    /**
     * Like {@link #problems(ZoneContents, DnssecConfig)}, but checks only some visible names; all other names are
     * known to be valid.
     */
    static List<RecordProblem> problems(ZoneContents zone, DnssecConfig signing, Iterable<Name> names) {
        ZoneRules rules = new ZoneRules(zone, /* isSignedHere= */ true);
        long max = signing.maxTtl().toSeconds();
        for (Name name : names) {
            for (RecordSet set : zone.sets(name).values()) {
                boolean signed = set.type() == Type.DS || !zone.isDelegated(name);
                if (signed && set.ttl() > max) {
                    String records = Type.string(set.type()) + " records with a TTL of " + set.ttl() + " s";
                    rules.addProblem(name, set.type(), records + " (expected: at most dnssec.max_ttl, " + max + " s)");
                }
            }
        }
        return rules.problems;
    }

    private void checkApex() {
        if (!zone.has(zone.apex(), Type.SOA)) {
            addProblem(zone.apex(), Type.ANY, "no SOA record (expected: exactly one)");
        }
        if (!zone.has(zone.apex(), Type.NS)) {
            addProblem(zone.apex(), Type.ANY, "no NS record (expected: at least one)");
        }
    }

    /** Checks the records that answers of a presigned zone need. */
    private void checkSignatures() {
        if (!zone.hasSignatures() || isSignedHere) {
            return;
        }
        Name apex = zone.apex();
        if (!zone.has(apex, Type.DNSKEY)) {
            addProblem(apex, Type.ANY, "signatures without DNSKEY records (expected: the keys of the zone)");
        }
        Optional<Nsec3Parameters> hashing = PresignedZones.nsec3Parameters(zone);
        if (hashing.isPresent() && hashing.get().iterations() > Nsec3Parameters.MAX_ITERATIONS) {
            addProblem(
                    apex,
                    Type.NSEC3PARAM,
                    "NSEC3 with " + hashing.get().iterations() + " iterations (expected: at most "
                            + Nsec3Parameters.MAX_ITERATIONS + ", and 0 by RFC 9276 section 3.1)");
        } else if (hashing.isEmpty() && !zone.has(apex, Type.NSEC)) {
            addProblem(
                    apex,
                    Type.ANY,
                    "signatures without authenticated denial of existence (expected: NSEC records, or NSEC3 records with"
                            + " SHA-1 and an NSEC3PARAM record)");
        }
    }

    private void checkName(Name name, Map<Integer, RecordSet> sets) {
        sets.values().forEach(set -> checkSet(name, set));
        if (sets.containsKey(Type.CNAME) && !TYPES_ALLOWED_WITH_CNAME.containsAll(sets.keySet())) {
            addProblem(
                    name,
                    Type.CNAME,
                    "a CNAME record together with other records (expected: no others, RFC 1034 section 3.6.2)");
        }
        if (sets.containsKey(Type.DNAME) && sets.containsKey(Type.NS) && !name.equals(zone.apex())) {
            addProblem(
                    name,
                    Type.DNAME,
                    "a DNAME record at a delegation (expected: one or the other, RFC 6672 section 2.3)");
        }
        if (name.isWild() && !name.equals(zone.apex()) && (sets.containsKey(Type.NS) || sets.containsKey(Type.DNAME))) {
            addProblem(
                    name,
                    sets.containsKey(Type.NS) ? Type.NS : Type.DNAME,
                    "a wildcard with NS or DNAME records (expected: such records at other names, RFC 4592 section"
                            + " 4)");
        }
    }

    private void checkDelegation(Name name) {
        if (zone.set(name, Type.DS) != null && !zone.isDelegated(name)) {
            addProblem(name, Type.DS, "a DS record without a delegation (expected: NS records at the same name)");
        }
    }

    private void checkSet(Name name, RecordSet set) {
        if (isSignedHere && DNSSEC_TYPES.contains(set.type())) {
            addProblem(
                    name,
                    set.type(),
                    Type.string(set.type()) + " (expected: no DNSSEC records except DS; the server creates them)");
        } else if (!zone.hasSignatures() && SIGNATURE_TYPES.contains(set.type())) {
            addProblem(
                    name,
                    set.type(),
                    Type.string(set.type())
                            + " (expected: a completely signed zone, with signatures by its own name, or an unsigned one)");
        }
        if (SINGLETON_TYPES.contains(set.type()) && set.records().size() > 1) {
            String what = set.records().size() + " " + Type.string(set.type()) + " records (expected: one)";
            problems.add(new RecordProblem(name, set.type(), set.records().get(1), what));
        }
        if (set.type() == Type.SOA && !name.equals(zone.apex())) {
            addProblem(name, Type.SOA, "a SOA record (expected: at " + zone.apex() + " only)");
        }
    }

    private void addProblem(Name name, int type, String what) {
        problems.add(new RecordProblem(name, type, null, what));
    }
}

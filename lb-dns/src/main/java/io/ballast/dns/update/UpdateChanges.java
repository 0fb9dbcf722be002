package io.ballast.dns.update;

import io.ballast.dns.zone.contents.RecordSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * Applies the changes of an update (<a href="https://datatracker.ietf.org/doc/html/rfc2136#section-3.4">RFC 2136
 * section 3.4</a>). Any thread may call it.
 */
final class UpdateChanges {

    /** Record types that the online signer generates. */
    private static final Set<Integer> SIGNER_TYPES =
            Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM, Type.DNSKEY, Type.CDS, Type.CDNSKEY);

    /**
     * Record types that updates cannot change in any zone: only presigned zones contain them, and a presigned
     * zone accepts no updates.
     */
    private static final Set<Integer> SIGNATURE_TYPES = Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM);

    /**
     * Maximum number of records of one name and type that updates may create: each record is compared with all other
     * records, and every answer contains all of them.
     */
    static final int MAX_SET_RECORDS = 500;

    private UpdateChanges() {}

    /**
     * Checks whether all changes are allowed, before any is applied (section 3.4.1).
     *
     * @param isService whether a name is a service with health-based answers, which updates cannot change
     * @throws UpdateException if one of the changes is not allowed
     */
    static void requireAllowed(List<Record> changes, Name apex, Predicate<Name> isService, boolean isSigned)
            throws UpdateException {
        for (Record each : changes) {
            int type = each.getType();
            UpdateRules.require(each.getName().subdomain(apex), Rcode.NOTZONE);
            switch (each.getDClass()) {
                case DClass.IN ->
                    UpdateRules.require(!UpdateRules.isMeta(type) && !UpdateRules.isEmpty(each), Rcode.FORMERR);
                case DClass.ANY ->
                    UpdateRules.require(
                            each.getTTL() == 0 && UpdateRules.isEmpty(each) && !UpdateRules.isTransferOrMail(type),
                            Rcode.FORMERR);
                case DClass.NONE -> UpdateRules.require(each.getTTL() == 0 && !UpdateRules.isMeta(type), Rcode.FORMERR);
                default -> throw new UpdateException(Rcode.FORMERR);
            }
            UpdateRules.require(!isService.test(each.getName().canonicalize()), Rcode.REFUSED);
            UpdateRules.require(!(isSigned ? SIGNER_TYPES : SIGNATURE_TYPES).contains(type), Rcode.REFUSED);
        }
    }

    /**
     * Applies the changes in order (RFC 2136 section 3.4.2).
     *
     * @throws UpdateException if a record set would exceed {@value #MAX_SET_RECORDS} records; the changes so far
     *     must be discarded
     */
    static void applyAll(List<Record> changes, ZoneDraft zone) throws UpdateException {
        for (Record each : changes) {
            switch (each.getDClass()) {
                case DClass.IN -> add(each, zone);
                case DClass.ANY -> removeSets(each, zone);
                default -> removeOne(each, zone);
            }
        }
    }

    private static void add(Record each, ZoneDraft zone) throws UpdateException {
        Name name = each.getName().canonicalize();
        int type = each.getType();
        Map<Integer, RecordSet> existing = zone.sets(name);
        if (type == Type.SOA) {
            replaceSoa(each, name, zone);
            return;
        }
        boolean isAlias = existing.containsKey(Type.CNAME);
        if (type == Type.CNAME ? !existing.isEmpty() && !isAlias : isAlias) {
            return; // no other records may exist beside a CNAME record; the existing records remain
        }
        List<Record> records = new ArrayList<>();
        RecordSet set = existing.get(type);
        if (set != null && type != Type.CNAME) {
            records.addAll(set.records());
        }
        boolean wasPresent = records.remove(each); // an equal record with another TTL is replaced
        UpdateRules.require(wasPresent || records.size() < MAX_SET_RECORDS, Rcode.REFUSED);
        records.add(each);
        zone.put(new RecordSet(name, type, each.getTTL(), records)); // a set has one TTL (RFC 2181 section 5.2)
    }

    private static void replaceSoa(Record each, Name name, ZoneDraft zone) {
        SOARecord present = zone.soa();
        SOARecord next = (SOARecord) each;
        if (name.equals(zone.apex()) && (int) (next.getSerial() - present.getSerial()) > 0) {
            zone.put(new RecordSet(name, Type.SOA, next.getTTL(), List.of(next)));
        }
    }

    private static void removeSets(Record each, ZoneDraft zone) {
        Name name = each.getName().canonicalize();
        boolean isApex = name.equals(zone.apex());
        for (int type : List.copyOf(zone.sets(name).keySet())) {
            boolean matchesType = each.getType() == Type.ANY || each.getType() == type;
            if (matchesType && !(isApex && (type == Type.SOA || type == Type.NS))) {
                zone.remove(name, type);
            }
        }
    }

    private static void removeOne(Record each, ZoneDraft zone) {
        Name name = each.getName().canonicalize();
        RecordSet set = zone.set(name, each.getType());
        if (set == null || each.getType() == Type.SOA) {
            return;
        }
        List<Record> left = new ArrayList<>(set.records());
        left.removeIf(record -> isSameData(record, each));
        boolean isLastServer = left.isEmpty() && each.getType() == Type.NS && name.equals(zone.apex());
        if (left.isEmpty() && !isLastServer) {
            zone.remove(name, each.getType());
        } else if (!isLastServer && left.size() < set.records().size()) {
            zone.put(new RecordSet(name, set.type(), set.ttl(), left));
        }
    }

    /** Compares only the data, because a record to be removed has the class NONE. */
    private static boolean isSameData(Record one, Record other) {
        return Arrays.equals(one.rdataToWireCanonical(), other.rdataToWireCanonical());
    }
}

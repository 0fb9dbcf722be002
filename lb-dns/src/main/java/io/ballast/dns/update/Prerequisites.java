package io.ballast.dns.update;

import io.ballast.dns.zone.contents.RecordSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Checks the prerequisites of an update (<a
 * href="https://datatracker.ietf.org/doc/html/rfc2136#section-3.2">RFC 2136 section 3.2</a>). Thread safety:
 * any thread may call it.
 */
final class Prerequisites {

    private Prerequisites() {}

    /** A name and a type. */
    private record Place(Name name, int type) {}

    /** @throws UpdateException if a prerequisite is not met or is malformed */
    static void require(List<Record> prerequisites, ZoneDraft zone) throws UpdateException {
        Map<Place, List<Record>> wanted = new LinkedHashMap<>();
        for (Record each : prerequisites) {
            UpdateRules.require(each.getTTL() == 0, Rcode.FORMERR);
            UpdateRules.require(each.getName().subdomain(zone.apex()), Rcode.NOTZONE);
            switch (each.getDClass()) {
                case DClass.ANY -> requirePresent(each, zone);
                case DClass.NONE -> requireAbsent(each, zone);
                case DClass.IN -> {
                    UpdateRules.require(!UpdateRules.isMeta(each.getType()), Rcode.FORMERR);
                    Place place = new Place(each.getName().canonicalize(), each.getType());
                    wanted.computeIfAbsent(place, first -> new ArrayList<>()).add(each);
                }
                default -> throw new UpdateException(Rcode.FORMERR);
            }
        }
        for (Map.Entry<Place, List<Record>> each : wanted.entrySet()) {
            RecordSet existing = zone.set(each.getKey().name(), each.getKey().type());
            boolean isSame =
                    existing != null && new HashSet<>(existing.records()).equals(new HashSet<>(each.getValue()));
            UpdateRules.require(isSame, Rcode.NXRRSET);
        }
    }

    private static void requirePresent(Record each, ZoneDraft zone) throws UpdateException {
        UpdateRules.require(UpdateRules.isEmpty(each), Rcode.FORMERR);
        if (each.getType() == Type.ANY) {
            UpdateRules.require(!zone.sets(each.getName()).isEmpty(), Rcode.NXDOMAIN);
        } else {
            UpdateRules.require(zone.set(each.getName(), each.getType()) != null, Rcode.NXRRSET);
        }
    }

    private static void requireAbsent(Record each, ZoneDraft zone) throws UpdateException {
        UpdateRules.require(UpdateRules.isEmpty(each), Rcode.FORMERR);
        if (each.getType() == Type.ANY) {
            UpdateRules.require(zone.sets(each.getName()).isEmpty(), Rcode.YXDOMAIN);
        } else {
            UpdateRules.require(zone.set(each.getName(), each.getType()) == null, Rcode.YXRRSET);
        }
    }
}

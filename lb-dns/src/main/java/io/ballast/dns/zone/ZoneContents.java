package io.ballast.dns.zone;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * The records of a zone by name and type. Immutable; used by the control plane.
 *
 * <p>Names are compared without case, and are in lower case as keys; the records keep the case that they were given.
 */
final class ZoneContents {

    private final Name apex;
    private final Map<Name, Map<Integer, RecordSet>> names;

    private ZoneContents(Name apex, Map<Name, Map<Integer, RecordSet>> names) {
        this.apex = apex;
        this.names = names;
    }

    static ZoneContents of(Name apex, Collection<? extends Record> records) {
        Map<Name, Map<Integer, RecordSet>> names = new LinkedHashMap<>();
        for (Record each : records) {
            names.computeIfAbsent(each.getName().canonicalize(), name -> new LinkedHashMap<>())
                    .merge(each.getType(), RecordSet.of(each), (set, one) -> set.with(each));
        }
        return new ZoneContents(apex, names);
    }

    /** The zone's name, in lower case. */
    Name apex() {
        return apex;
    }

    /** Every name that has records, whether or not it can be asked for. */
    Set<Name> names() {
        return Collections.unmodifiableSet(names.keySet());
    }

    /** The sets of a name by type; none for a name without records. */
    Map<Integer, RecordSet> sets(Name name) {
        return names.getOrDefault(name, Map.of());
    }

    @Nullable RecordSet set(Name name, int type) {
        return sets(name).get(type);
    }

    /** The zone's start of authority; null if it has none, which is a fault. */
    @Nullable SOARecord soa() {
        RecordSet set = set(apex, Type.SOA);
        return set != null && set.records().get(0) instanceof SOARecord soa ? soa : null;
    }

    /** The start of authority of a zone that was found to have one. */
    SOARecord startOfAuthority() {
        return Objects.requireNonNull(soa(), "a zone without SOA");
    }

    /** Whether other servers are responsible for the name and all below it. */
    boolean isDelegated(Name name) {
        return !name.equals(apex) && set(name, Type.NS) != null;
    }

    /** The names that queries find: those that do not lie below a delegation or a DNAME record. */
    List<Name> visible() {
        List<Name> visible = new ArrayList<>();
        for (Name name : names.keySet()) {
            if (hidingName(name) == null) {
                visible.add(name);
            }
        }
        return visible;
    }

    /** The delegation or DNAME record above a name that hides it; null if none does. */
    @Nullable Name hidingName(Name name) {
        for (Name above = name; !above.equals(apex) && above.labels() > 1; ) {
            above = Names.above(above);
            if (isDelegated(above) || set(above, Type.DNAME) != null) {
                return above;
            }
        }
        return null;
    }
}

package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.NameEntry;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Collects zones and the names in them, and finishes them into an {@link AnswerTable}. Used by the control plane.
 *
 * <p>A name exists if it has records or if a name below it exists (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8020">RFC 8020</a>), so the names between a service and its zone are
 * added too. Zones may lie inside one another; a name belongs to the innermost.
 */
final class NameTree {

    private final Map<Name, Zone> zones = new HashMap<>();
    private final Map<Name, Integer> indexes = new LinkedHashMap<>();
    private final List<NameAnswers> answers = new ArrayList<>();
    private final Set<Name> services = new HashSet<>();

    void addZone(Name apex, Zone zone, NameAnswers ofApex) {
        Checks.that(zones.putIfAbsent(apex, zone) == null, "zone", apex, "each zone once");
        add(apex, ofApex);
    }

    /**
     * Adds the name of a service, once all zones are there.
     *
     * @param apex of the zone that the service stands in
     * @return the name's index
     */
    int addService(Name name, Name apex) {
        Checks.that(services.add(name), "service", name, "each name once");
        Checks.that(apex.equals(apexOf(name)), "service", name, "a name that lies in no zone inside " + apex);
        Integer atApex = indexes.get(name);
        return atApex != null ? atApex : add(name, NameAnswers.NONE.with(RecordType.ANY, ZoneRecords.ANY));
    }

    /** Adds the names between services and zones, and between a zone and one inside it. */
    void addNamesBetween() {
        for (Name name : List.copyOf(indexes.keySet())) {
            Name above = name;
            while (above.labels() > 1) {
                above = Names.above(above);
                if (indexes.containsKey(above) || apexOf(above) == null) {
                    break;
                }
                add(above, NameAnswers.NONE);
            }
        }
    }

    private int add(Name name, NameAnswers ofName) {
        int index = answers.size();
        indexes.put(name, index);
        answers.add(ofName);
        return index;
    }

    /** What a name answers besides the addresses of a service. */
    NameAnswers answers(int index) {
        return answers.get(index);
    }

    AnswerTable finish(NameHash hash, int cursors) {
        return AnswerTable.of(hash, entries(), answers.toArray(NameAnswers[]::new), cursors);
    }

    private List<NameEntry> entries() {
        Map<Name, Integer> wildcards = new HashMap<>();
        indexes.forEach((name, index) -> {
            if (name.isWild()) {
                wildcards.put(Names.above(name), index);
            }
        });
        List<NameEntry> entries = new ArrayList<>();
        indexes.forEach((name, index) -> {
            Zone zone = zones.get(apexOf(name));
            if (zone != null) {
                int wildcard = wildcards.getOrDefault(name, NameEntry.NO_WILDCARD);
                entries.add(new NameEntry(name.toWireCanonical(), index, zone, wildcard));
            }
        });
        return entries;
    }

    /** The name of the innermost zone that a name lies in, null if it lies in none. */
    private @Nullable Name apexOf(Name name) {
        for (Name at = name; ; at = Names.above(at)) {
            if (zones.containsKey(at)) {
                return at;
            }
            if (at.labels() == 1) {
                return null;
            }
        }
    }
}

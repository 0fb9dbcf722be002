package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.NameEntry;
import io.ballast.dns.answer.Place;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/**
 * Collects zones and the names in them, and finishes them into an {@link AnswerTable}. Used by the control plane.
 *
 * <p>A name exists if it has records or if a name below it exists (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8020">RFC 8020</a>), so the names between those and their zone are
 * added too. Zones may lie inside one another; a name belongs to the innermost.
 */
final class NameTree {

    private final Map<Name, ZoneRecords> zones = new HashMap<>();
    /** All names that exist, with the index of their answers. */
    private final Map<Name, Integer> indexes = new LinkedHashMap<>();
    /** The side of the outer zone where a zone of ours is delegated to another zone of ours. */
    private final Map<Name, Integer> parentSides = new LinkedHashMap<>();

    private final Set<Name> services = new HashSet<>();
    private final Map<Name, NameEntry> entries = new HashMap<>();
    private int indexesUsed;

    void addZone(ZoneRecords zone) {
        Name apex = zone.contents().apex();
        Checks.that(zones.putIfAbsent(apex, zone) == null, "zone", apex, "each zone once");
    }

    /** Adds the names that have records, once all zones are there. */
    void addNames() {
        zones.forEach((apex, zone) -> {
            for (Name name : zone.contents().visible()) {
                if (apex.equals(apexOf(name))) {
                    indexes.computeIfAbsent(name, each -> indexesUsed++);
                } else if (zones.containsKey(name) && zone.contents().isDelegated(name)) {
                    parentSides.computeIfAbsent(name, each -> indexesUsed++);
                }
            }
        });
    }

    /**
     * Adds the name of a service, after {@link #addNames}.
     *
     * @param apex of the zone that the service stands in
     * @return the name's index
     */
    int addService(Name name, Name apex) {
        Checks.that(services.add(name), "service", name, "each name once");
        Checks.that(apex.equals(apexOf(name)), "service", name, "a name that lies in no zone inside " + apex);
        ZoneContents contents = zone(apex).contents();
        Checks.that(
                contents.hidingName(name) == null && !contents.isDelegated(name),
                "service",
                name,
                "a name that the zone does not delegate or rewrite");
        for (int type : List.of(Type.A, Type.AAAA, Type.CNAME)) {
            Checks.that(
                    contents.set(name, type) == null,
                    "service",
                    name,
                    "a name without " + Type.string(type) + " records in the zone");
        }
        return indexes.computeIfAbsent(name, each -> indexesUsed++);
    }

    /** Completes the tree, after the last service: adds the names between, and finds out where each name leads. */
    void complete() {
        for (Name name : List.copyOf(indexes.keySet())) {
            Name above = name;
            while (above.labels() > 1) {
                above = Names.above(above);
                if (indexes.containsKey(above) || apexOf(above) == null) {
                    break;
                }
                indexes.put(above, indexesUsed++);
            }
        }
        indexes.forEach((name, index) -> entries.put(name, entry(name, index)));
    }

    private NameEntry entry(Name name, int index) {
        Name apex = apexOf(name);
        ZoneRecords records = zone(apex);
        Zone zone = records.zone();
        int bytes = name.length();
        Place own = new Place(Place.Kind.NAME, zone, bytes, index);
        if (records.contents().isDelegated(name)) {
            Place cut = new Place(Place.Kind.DELEGATION, zone, bytes, index);
            return new NameEntry(name.toWire(), cut, cut, own);
        }
        return new NameEntry(name.toWire(), own, below(name, own, records), parentSide(name));
    }

    private Place below(Name name, Place own, ZoneRecords zone) {
        if (zone.contents().set(name, Type.DNAME) != null) {
            return new Place(Place.Kind.REWRITTEN, own.zone(), own.ownerBytes(), own.index());
        }
        Integer wildcard =
                name.length() + Names.WILDCARD_BYTES > Wire.MAX_NAME_BYTES ? null : indexes.get(Names.wildcard(name));
        return wildcard != null
                ? new Place(Place.Kind.NAME, own.zone(), own.ownerBytes() + Names.WILDCARD_BYTES, wildcard)
                : new Place(Place.Kind.MISSING, own.zone(), own.ownerBytes(), Place.NO_ANSWERS);
    }

    /** Where the DS record of a zone of ours stands, if the zone around it is ours too. */
    private @Nullable Place parentSide(Name name) {
        Integer index = parentSides.get(name);
        if (index == null) {
            return null;
        }
        ZoneRecords outer = zone(apexOf(Names.above(name)));
        return new Place(Place.Kind.NAME, outer.zone(), name.length(), index);
    }

    /** Where a name leads, null outside our zones; after {@link #complete}. */
    @Nullable Place place(Name name) {
        NameEntry exact = entries.get(name);
        if (exact != null) {
            return exact.here();
        }
        for (Name above = name; above.labels() > 1; ) {
            above = Names.above(above);
            NameEntry encloser = entries.get(above);
            if (encloser != null) {
                return encloser.below();
            }
        }
        return null;
    }

    /** The table, without the addresses of services; after {@link #complete}. */
    AnswerTable finish(NameHash hash, int cursors) {
        NameAnswers[] answers = new NameAnswers[indexesUsed];
        indexes.forEach((name, index) -> answers[index] = answers(name));
        parentSides.forEach((name, index) ->
                answers[index] = zone(apexOf(Names.above(name))).answers(name, this::place));
        return AnswerTable.of(hash, entries.values(), answers, cursors);
    }

    private NameAnswers answers(Name name) {
        NameAnswers answers = zone(apexOf(name)).answers(name, this::place);
        return services.contains(name) ? answers.with(RecordType.ANY, ZoneRecords.ANY) : answers;
    }

    private ZoneRecords zone(@Nullable Name apex) {
        ZoneRecords zone = apex == null ? null : zones.get(apex);
        if (zone == null) {
            throw new IllegalStateException("a name outside all zones");
        }
        return zone;
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

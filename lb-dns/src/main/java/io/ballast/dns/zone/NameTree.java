package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.NameEntry;
import io.ballast.dns.answer.Place;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.answer.ZoneAnswers;
import io.ballast.dns.dnssec.ZoneSigner;
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

    void addZone(ZoneContents contents) {
        Name apex = contents.apex();
        Checks.that(
                zones.putIfAbsent(apex, new ZoneRecords(contents, zones.size())) == null,
                "zone",
                apex,
                "each zone once");
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
     * @param types of the records that it brings
     * @return the name's index
     */
    int addService(Name name, Name apex, List<Integer> types) {
        Checks.that(services.add(name), "service", name, "each name once");
        Checks.that(apex.equals(apexOf(name)), "service", name, "a name that lies in no zone inside " + apex);
        ZoneContents contents = zone(apex).contents();
        Checks.that(
                contents.hidingName(name) == null && !contents.isDelegated(name),
                "service",
                name,
                "a name that the zone does not delegate or rewrite");
        Checks.that(
                contents.set(name, Type.CNAME) == null, "service", name, "a name without CNAME records in the zone");
        for (int type : types) {
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
                : new Place(Place.Kind.MISSING, own.zone(), own.ownerBytes(), own.index());
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

    /** The table of these answers; after {@link #complete}. */
    AnswerTable table(NameHash hash, NameAnswers[] answers, ZoneSigners signers, int cursors) {
        return AnswerTable.of(hash, entries.values(), answers, common(signers), cursors);
    }

    /** What is the same for all names of a zone, by its number. */
    ZoneAnswers[] common(ZoneSigners signers) {
        ZoneAnswers[] common = new ZoneAnswers[zones.size()];
        zones.values().forEach(each -> common[each.zone().number()] = each.common(signers.of(each.contents())));
        return common;
    }

    /** What each name answers by its index, services and proofs aside; after {@link #complete}. */
    NameAnswers[] answers(ZoneSigners signers) {
        NameAnswers[] answers = new NameAnswers[indexesUsed];
        indexes.forEach((name, index) -> answers[index] = answers(name, signers));
        parentSides.forEach((name, index) -> {
            ZoneRecords outer = zone(apexOf(Names.above(name)));
            answers[index] = outer.answers(name, this::place, signers.of(outer.contents()));
        });
        return answers;
    }

    private NameAnswers answers(Name name, ZoneSigners signers) {
        ZoneRecords zone = zone(apexOf(name));
        NameAnswers answers = zone.answers(name, this::place, signers.of(zone.contents()));
        return services.contains(name) ? answers.with(RecordType.ANY, ZoneRecords.ANY) : answers;
    }

    /** Adds the proofs of which types each name has. */
    void prove(NameAnswers[] answers, ZoneSigners signers) {
        indexes.forEach((name, index) -> answers[index] = proven(name, zone(apexOf(name)), answers[index], signers));
        parentSides.forEach((name, index) ->
                answers[index] = proven(name, zone(apexOf(Names.above(name))), answers[index], signers));
    }

    /** The answers of a service's name with signatures and a proof, if its zone is signed. */
    NameAnswers signed(Name name, NameAnswers answers, ZoneSigners signers) {
        ZoneRecords zone = zone(apexOf(name));
        ZoneSigner signer = signers.of(zone.contents());
        if (signer == null) {
            return answers;
        }
        int longestTtl = signers.longestTtl(zone.contents());
        return zone.proven(name, answers.signed(signer.of(name.toWireCanonical()), longestTtl), signer);
    }

    private static NameAnswers proven(Name name, ZoneRecords zone, NameAnswers answers, ZoneSigners signers) {
        ZoneSigner signer = signers.of(zone.contents());
        return signer == null ? answers : zone.proven(name, answers, signer);
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

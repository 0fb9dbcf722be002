package io.ballast.dns.zone.tree;

import io.ballast.core.Checks;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.NameEntry;
import io.ballast.dns.answer.Place;
import io.ballast.dns.answer.StoredNames;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.answer.ZoneAnswers;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.signing.ZoneSigners;
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
 * Collects zones and the names in them, and finishes them into an {@link AnswerTable}. Filled
 * by one thread; after {@link #complete} it is only read, by the compiler and by the signer at once.
 *
 * <p>A name exists if it has records or if a name below it exists (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8020">RFC 8020</a>). Zones may lie inside one another; a name belongs to
 * the innermost. Most names are no more than their records, and are stored; objects are made for the others: those of
 * zones, services and wildcards, and those that decide what other names answer.
 */
public final class NameTree {

    private final Map<Name, ZoneRecords> zones = new HashMap<>();
    /** The names that are more than their records, with the index of their answers. */
    private final Map<Name, Integer> indexes = new LinkedHashMap<>();
    /** The side of the outer zone where a zone of ours is delegated to another zone of ours. */
    private final Map<Name, Integer> parentSides = new LinkedHashMap<>();

    /** The names of services, with the types of their records. */
    private final Map<Name, Set<Integer>> services = new HashMap<>();
    /** The zones that have zones of ours inside. */
    private final Set<Name> outer = new HashSet<>();

    private final NameHash hash;
    private final StoredZones stored;
    private int indexesUsed;

    /** A tree of its own. */
    public NameTree() {
        this.hash = NameHash.random();
        this.stored = new StoredZones(hash, this, /* before= */ null);
    }

    private NameTree(NameTree before) {
        this.hash = before.hash;
        this.stored = new StoredZones(hash, this, before.stored);
    }

    /** An empty tree that is to take the place of this one: names are hashed alike, and signatures are taken over. */
    public NameTree successor() {
        return new NameTree(this);
    }

    /** By which names are looked up. */
    public NameHash hash() {
        return hash;
    }

    /**
     * Adds a zone.
     *
     * @param isMissing whether its contents only stand for what is not there, so that nothing in it is answered
     */
    public void addZone(ZoneContents contents, boolean isMissing) {
        Name apex = contents.apex();
        Checks.that(
                zones.putIfAbsent(apex, new ZoneRecords(contents, zones.size(), isMissing)) == null,
                "zone",
                apex,
                "each zone once");
    }

    /** Finds the zones inside others, once all zones are there. */
    public void addNames() {
        for (Name apex : zones.keySet()) {
            index(apex);
            for (Name above = apex; above.labels() > 1; ) {
                above = Names.above(above);
                ZoneRecords around = zones.get(above);
                if (around == null) {
                    continue;
                }
                outer.add(above);
                ZoneContents contents = around.contents();
                if (contents.isDelegated(apex) && contents.hidingName(apex) == null) {
                    parentSides.computeIfAbsent(apex, each -> indexesUsed++);
                }
            }
        }
    }

    /**
     * Adds the name of a service, after {@link #addNames}.
     *
     * @param apex of the zone that the service stands in
     * @param types of the records that it brings
     * @return the name's index
     */
    public int addService(Name name, Name apex, List<Integer> types) {
        Set<Integer> served = services.computeIfAbsent(name, each -> new HashSet<>());
        boolean isAlias = types.contains(RecordType.CNAME);
        Checks.that(
                isAlias ? served.isEmpty() : !served.contains(RecordType.CNAME),
                "service",
                name,
                "no service beside one of type CNAME");
        for (int type : types) {
            Checks.that(served.add(type), "service", name, "each name once for " + Type.string(type) + " records");
        }
        Checks.that(apex.equals(apexOf(name)), "service", name, "a name that lies in no zone inside " + apex);
        ZoneContents contents = zone(apex).contents();
        Checks.that(
                contents.hidingName(name) == null && !contents.isDelegated(name),
                "service",
                name,
                "a name that the zone does not delegate or rewrite");
        Checks.that(!contents.has(name, Type.CNAME), "service", name, "a name without CNAME records in the zone");
        Checks.that(
                !isAlias || contents.sets(name).isEmpty(),
                "service",
                name,
                name.equals(apex)
                        ? "an alias in the place of type: CNAME, which cannot stand at the name of a zone"
                        : "a name without other records in the zone, for type: CNAME");
        for (int type : types) {
            Checks.that(
                    !contents.has(name, type),
                    "service",
                    name,
                    "a name without " + Type.string(type) + " records in the zone");
        }
        return index(name);
    }

    /** Completes the tree, after the last service: finds out which names are more than their records. */
    public void complete() {
        services.keySet().forEach(this::addWildcards);
        zones.values().forEach(zone -> {
            for (Name name : zone.contents().visible()) {
                if (isInnermost(zone, name)) {
                    addWildcards(name);
                    if (zone.contents().has(name, RecordType.DNAME)) {
                        index(name);
                    }
                }
            }
        });
        // The name above a zone called like a wildcard is not ours.
        indexes.keySet().removeIf(name -> apexOf(name) == null);
    }

    /** A wildcard exists if a name below it does; it decides what names below the name above it answer. */
    private void addWildcards(Name name) {
        byte[] wire = name.toWire();
        int label = 0;
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            if (wire[at] == 1 && wire[at + 1] == '*') {
                Name wildcard = new Name(name, label);
                index(wildcard);
                index(Names.above(wildcard));
            }
            label++;
        }
    }

    /** Whether a name of a zone's contents lies in no zone inside. */
    boolean isInnermost(ZoneRecords zone, Name name) {
        Name apex = zone.contents().apex();
        return !outer.contains(apex) || apex.equals(apexOf(name));
    }

    private int index(Name name) {
        return indexes.computeIfAbsent(name, each -> indexesUsed++);
    }

    /** Makes a name one that is more than its records. */
    int addEntry(Name name) {
        return index(name);
    }

    /** Whether a name is more than its records. */
    boolean hasEntry(Name name) {
        return indexes.containsKey(name);
    }

    /** All names that are more than their records. */
    Set<Name> entries() {
        return indexes.keySet();
    }

    /** Of a name that {@link #hasEntry}. */
    NameEntry entry(Name name) {
        ZoneRecords records = zone(apexOf(name));
        Zone zone = records.zone();
        int bytes = name.length();
        int index = index(name);
        Place own = new Place(Place.Kind.NAME, zone, bytes, index);
        if (records.contents().isDelegated(name)) {
            Place cut = new Place(Place.Kind.DELEGATION, zone, bytes, index);
            return new NameEntry(cut, cut, own);
        }
        return new NameEntry(own, below(name, zone, index, records), parentSide(name));
    }

    private Place below(Name name, Zone zone, int index, ZoneRecords records) {
        int bytes = name.length();
        if (records.contents().has(name, Type.DNAME)) {
            return new Place(Place.Kind.REWRITTEN, zone, bytes, index);
        }
        Integer wildcard = bytes + Names.WILDCARD_BYTES > Wire.MAX_NAME_BYTES ? null : wildcard(name);
        return wildcard != null
                ? new Place(Place.Kind.NAME, zone, bytes + Names.WILDCARD_BYTES, wildcard)
                : new Place(Place.Kind.MISSING, zone, bytes, index);
    }

    /** The index of the wildcard below a name; null if there is none, or if a zone of its own has that name. */
    private @Nullable Integer wildcard(Name name) {
        Name wildcard = Names.wildcard(name);
        return zones.containsKey(wildcard) ? null : indexes.get(wildcard);
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

    /** All names, as they are to be signed now; after {@link #complete}. */
    public StoredNames names(ZoneSigners signers) {
        return stored.names(signers);
    }

    /** What is the same for all names of a zone, by its number. */
    public ZoneAnswers[] common(ZoneSigners signers) {
        ZoneAnswers[] common = new ZoneAnswers[zones.size()];
        zones.values().forEach(each -> common[each.zone().number()] = each.common(signers.of(each.contents())));
        return common;
    }

    /** What the names with entries answer by their index, services and proofs aside; after {@link #names}. */
    public NameAnswers[] answers(ZoneSigners signers) {
        NameAnswers[] answers = new NameAnswers[indexesUsed];
        indexes.forEach((name, index) -> answers[index] = answers(name, signers));
        parentSides.forEach((name, index) -> {
            ZoneRecords outer = zone(apexOf(Names.above(name)));
            answers[index] = outer.answers(name, signers.of(outer.contents()));
        });
        return answers;
    }

    private NameAnswers answers(Name name, ZoneSigners signers) {
        ZoneRecords zone = zone(apexOf(name));
        NameAnswers answers = zone.answers(name, signers.of(zone.contents()));
        return services.containsKey(name) ? answers.with(RecordType.ANY, ZoneRecords.ANY) : answers;
    }

    /** Adds the proofs of which types each name has. */
    public void prove(NameAnswers[] answers, ZoneSigners signers) {
        indexes.forEach((name, index) -> answers[index] = proven(name, zone(apexOf(name)), answers[index], signers));
        parentSides.forEach((name, index) ->
                answers[index] = proven(name, zone(apexOf(Names.above(name))), answers[index], signers));
    }

    /** The answers of a service's name with signatures and a proof, if its zone is signed. */
    public NameAnswers signed(Name name, NameAnswers answers, ZoneSigners signers) {
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

    /** All zones. */
    Iterable<ZoneRecords> zones() {
        return zones.values();
    }

    /** The names of all zones, absolute and without the final dot, by their numbers. */
    public List<String> zoneNames() {
        String[] names = new String[zones.size()];
        zones.forEach((apex, zone) -> names[zone.zone().number()] = apex.toString(/* omitFinalDot= */ true));
        return List.of(names);
    }

    /** How many zones there are. */
    int zoneCount() {
        return zones.size();
    }

    ZoneRecords zone(@Nullable Name apex) {
        ZoneRecords zone = apex == null ? null : zones.get(apex);
        if (zone == null) {
            throw new IllegalStateException("a name outside all zones");
        }
        return zone;
    }

    /** The name of the innermost zone that a name lies in, null if it lies in none. */
    @Nullable Name apexOf(Name name) {
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

package io.ballast.dns.zone.tree;

import io.ballast.core.Checks;
import io.ballast.dns.answer.data.ApexIndex;
import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.answer.data.Zone;
import io.ballast.dns.dnssec.ZoneSigner;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.signing.ZoneSigners;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Collects zones and their names, and compiles each zone separately. Filled by one thread; after {@link
 * #complete} it is only read, concurrently by the compiler and the signer.
 *
 * <p>A name exists if it has records or if a name below it exists (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8020">RFC 8020</a>). Zones may be nested; a name belongs to
 * the innermost zone. A tree that replaces another one reuses its unchanged zones in compiled form.
 */
public final class NameTree {

    private static final Set<Name> NO_NESTED_ZONES = Set.of();

    private final NameHash hash;
    /** The tree that this one replaces; null once this tree is complete. */
    private @Nullable NameTree predecessor;

    /** The added zones with their contents, in order; empty after {@link #numberZones}. */
    private final Map<Name, Added> added = new LinkedHashMap<>();

    private Map<Name, ZoneNames> zones = new LinkedHashMap<>();
    /** The zones by their numbers; null for a number without a zone. */
    private @Nullable ZoneNames[] byNumber = {};

    private Map<Name, Set<Name>> nestedZones = Map.of();
    private ApexIndex apexes;
    private boolean hasSameZones;

    private record Added(ZoneContents contents, boolean isMissing) {}

    /** Creates a tree that does not replace another one. */
    public NameTree() {
        this(NameHash.random(), /* before= */ null);
    }

    private NameTree(NameHash hash, @Nullable NameTree before) {
        this.hash = hash;
        this.predecessor = before;
        this.apexes = ApexIndex.of(hash, List.of());
    }

    /** Creates an empty tree that will replace this one. */
    public NameTree successor() {
        return new NameTree(hash, this);
    }

    /** Returns the hash function for lookups. */
    public NameHash hash() {
        return hash;
    }

    /**
     * Adds a zone.
     *
     * @param isMissing whether the contents are a placeholder for a missing zone; its names are not answered
     */
    public void addZone(ZoneContents contents, boolean isMissing) {
        Name apex = contents.apex();
        Checks.that(added.putIfAbsent(apex, new Added(contents, isMissing)) == null, "zone", apex, "each zone once");
    }

    /** Finds nested zones and numbers all zones. Must be called after all zones were added. */
    public void numberZones() {
        NameTree replaced = predecessor;
        hasSameZones = replaced != null && replaced.zones.keySet().equals(added.keySet());
        nestedZones = replaced != null && hasSameZones ? replaced.nestedZones : nested(added.keySet());
        Map<Name, Integer> numbers = numbers(replaced);
        int max = 0;
        for (int number : numbers.values()) {
            max = Math.max(max, number + 1);
        }
        byNumber = new ZoneNames[max];
        added.forEach((apex, zone) -> {
            int number = Objects.requireNonNull(numbers.get(apex), "the zone has no number");
            ZoneRecords records = new ZoneRecords(zone.contents(), number, zone.isMissing());
            ZoneNames names = new ZoneNames(records, nestedZones.getOrDefault(apex, NO_NESTED_ZONES));
            zones.put(apex, names);
            byNumber[number] = names;
        });
        added.clear();
        apexes = replaced != null && hasSameZones ? replaced.apexes : index();
    }

    /** Assigns a number to each zone: existing zones keep their numbers; new zones get unused numbers. */
    private Map<Name, Integer> numbers(@Nullable NameTree replaced) {
        Map<Name, Integer> numbers = new HashMap<>();
        BitSet used = new BitSet();
        for (Name apex : added.keySet()) {
            ZoneNames known = replaced == null ? null : replaced.zones.get(apex);
            if (known != null) {
                numbers.put(apex, known.zone().number());
                used.set(known.zone().number());
            }
        }
        int free = 0;
        for (Name apex : added.keySet()) {
            if (!numbers.containsKey(apex)) {
                free = used.nextClearBit(free);
                used.set(free);
                numbers.put(apex, free);
            }
        }
        return numbers;
    }

    /** Returns the zones directly inside each zone; zones without nested zones are omitted. */
    private static Map<Name, Set<Name>> nested(Set<Name> apexes) {
        Map<Name, Set<Name>> nested = new HashMap<>();
        for (Name apex : apexes) {
            for (Name above = apex; above.labels() > 1; ) {
                above = Names.parent(above);
                if (apexes.contains(above)) {
                    nested.computeIfAbsent(above, first -> new HashSet<>()).add(apex);
                    break;
                }
            }
        }
        return nested;
    }

    private ApexIndex index() {
        List<byte @Nullable []> names = new ArrayList<>();
        for (ZoneNames zone : byNumber) {
            names.add(zone == null ? null : zone.apex().toWireCanonical());
        }
        return ApexIndex.of(hash, names);
    }

    /**
     * Adds the name of a service. Must be called after {@link #numberZones}.
     *
     * @param apex the name of the zone that contains the service
     * @param types the types of the records that the service provides
     * @return the name's index in its zone
     */
    public int addService(Name name, Name apex, List<Integer> types) {
        return zone(apex).addService(name, types);
    }

    /** Completes the tree after the last service; unchanged zones are taken from the previous tree. */
    public void complete() {
        NameTree replaced = predecessor;
        predecessor = null;
        zones.replaceAll((apex, zone) -> {
            ZoneNames known = replaced == null ? null : replaced.zones.get(apex);
            if (known != null && known.isSame(zone)) {
                byNumber[zone.zone().number()] = known;
                return known;
            }
            zone.complete(known);
            return zone;
        });
    }

    /** Whether the tree has the same zones with the same numbers as the tree that it replaces. */
    public boolean hasSameZones() {
        return hasSameZones;
    }

    /** The names of all zones. */
    public ApexIndex apexes() {
        return apexes;
    }

    /**
     * Compiles a zone, unless it is unchanged.
     *
     * @param number the number of the zone
     * @param known the last compilation for the number, possibly of another zone; null if there is none
     * @param isRenewed whether signatures of the zone may need renewal
     * @param threads maximum number of threads that encode the names of a large zone
     * @return {@code known} if nothing has changed; null if no zone has the number
     */
    public @Nullable CompiledZone compile(
            int number, ZoneSigners signers, @Nullable CompiledZone known, boolean isRenewed, int threads) {
        ZoneNames zone = byNumber[number];
        if (zone == null) {
            return null;
        }
        ZoneSigner signer = signers.of(zone.contents());
        boolean isDue = isRenewed && signer != null;
        return known != null && !isDue && known.isCompiledFrom(zone, signer)
                ? known
                : ZoneCompiler.compile(zone, hash, signer, known, isDue, threads);
    }

    /** Returns the answers of a service name; if its zone is signed, with signatures and a denial record. */
    public NameAnswers signed(Name name, int zoneNumber, NameAnswers answers, ZoneSigners signers) {
        ZoneRecords zone = numbered(zoneNumber).records();
        ZoneSigner signer = signers.of(zone.contents());
        if (signer == null) {
            return answers;
        }
        int longestTtl = signers.longestTtl(zone.contents());
        return zone.proven(name, answers.signed(signer.signerFor(name.toWireCanonical()), longestTtl), signer);
    }

    /** Returns an exclusive upper bound of the zone numbers. */
    public int numbers() {
        return byNumber.length;
    }

    /**
     * Maps the name of each zone to the number of the zone, in the order in which the zones were added. The names
     * are absolute and have no final dot.
     */
    public Map<String, Integer> zoneNumbers() {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        zones.values()
                .forEach(zone ->
                        numbers.put(zone.records().zoneName(), zone.zone().number()));
        return numbers;
    }

    /** Returns the zone with this name, which must exist. */
    public Zone zoneOf(Name apex) {
        return zone(apex).zone();
    }

    /** The records of a zone; empty if there is no such zone, or it has no contents yet. */
    public Optional<ZoneContents> contents(Name apex) {
        ZoneNames zone = zones.get(apex);
        return zone == null || zone.zone().isMissing() ? Optional.empty() : Optional.of(zone.contents());
    }

    /** The records of all zones. */
    public List<ZoneContents> allContents() {
        return zones.values().stream().map(ZoneNames::contents).toList();
    }

    private ZoneNames numbered(int number) {
        ZoneNames zone = byNumber[number];
        if (zone == null) {
            throw new IllegalStateException("unknown zone number: " + number);
        }
        return zone;
    }

    private ZoneNames zone(Name apex) {
        ZoneNames zone = zones.get(apex);
        if (zone == null) {
            throw new IllegalStateException("the name is outside all zones");
        }
        return zone;
    }
}

package io.ballast.dns.zone.tree;

import io.ballast.core.Checks;
import io.ballast.dns.answer.data.NameEntry;
import io.ballast.dns.answer.data.NameLookupResult;
import io.ballast.dns.answer.data.Zone;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.contents.NameCursor;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.TypeMask;
import io.ballast.dns.zone.contents.ZoneContents;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/**
 * The names of a zone that need a {@link NameEntry} object: the zone apex, services, wildcards, and names that affect
 * the answers of other names. All other names are stored in encoded form only.
 *
 * <p>Thread safety: filled by one thread; after {@link #complete} it is only read, concurrently by the
 * compiler and the signer.
 */
final class ZoneNames {

    private static final long REWRITING = TypeMask.of(RecordType.DNAME);

    private final ZoneRecords records;
    /** The names of this server's zones directly inside this zone. */
    private final Set<Name> nestedZones;
    /** The names of services, with the types of their records. */
    private final Map<Name, Set<Integer>> services = new LinkedHashMap<>();
    /** For each name with a {@link NameEntry}, the index of its answers in the zone's table. */
    private final Map<Name, Integer> indexes = new LinkedHashMap<>();
    /** The names in the replaced tree, if only the changed names must be compiled; otherwise null. */
    private @Nullable WeakReference<ZoneNames> patchBase;

    ZoneNames(ZoneRecords records, Set<Name> inside) {
        this.records = records;
        this.nestedZones = inside;
        index(apex());
    }

    Name apex() {
        return records.contents().apex();
    }

    ZoneContents contents() {
        return records.contents();
    }

    ZoneRecords records() {
        return records;
    }

    Zone zone() {
        return records.zone();
    }

    /**
     * Whether another, possibly incomplete instance will have the same names, answers and indexes once it is
     * complete.
     */
    @SuppressWarnings("ReferenceEquality") // records that were not read again are the same object
    boolean isSame(ZoneNames other) {
        return contents() == other.contents() && isSameExceptRecords(other);
    }

    /** Whether both instances describe the same zone, nested zones and services; records are not compared. */
    private boolean isSameExceptRecords(ZoneNames other) {
        return zone().equals(other.zone())
                && nestedZones.equals(other.nestedZones)
                && services.equals(other.services)
                && new ArrayList<>(services.keySet()).equals(new ArrayList<>(other.services.keySet()));
    }

    /**
     * Adds the name of a service.
     *
     * @param types the types of the records that the service provides
     * @return the name's index
     */
    int addService(Name name, List<Integer> types) {
        Set<Integer> served = services.computeIfAbsent(name, each -> new HashSet<>());
        boolean isAlias = types.contains(RecordType.CNAME);
        Checks.that(
                isAlias ? served.isEmpty() : !served.contains(RecordType.CNAME),
                "service",
                name,
                "no other service at the name of a service with type: CNAME");
        for (int type : types) {
            Checks.that(
                    served.add(type),
                    "service",
                    name,
                    "only one service at this name for " + Type.string(type) + " records");
        }
        Checks.that(isOwn(name), "service", name, "a name that is in no other zone below " + apex());
        Checks.that(
                contents().hidingName(name) == null && !contents().isDelegated(name),
                "service",
                name,
                "a name that is not delegated and not below a DNAME record");
        Checks.that(!contents().has(name, Type.CNAME), "service", name, "a name without CNAME records in the zone");
        Checks.that(
                !isAlias || contents().sets(name).isEmpty(),
                "service",
                name,
                name.equals(apex())
                        ? "an alias instead of type: CNAME, which is not allowed at the name of a zone"
                        : "a name without other records in the zone, for type: CNAME");
        for (int type : types) {
            Checks.that(
                    !contents().has(name, type),
                    "service",
                    name,
                    "a name without " + Type.string(type) + " records in the zone");
        }
        return index(name);
    }

    /**
     * Assigns an index to each wildcard and to each name that affects the answers of other names. Must be called
     * after the last service was added.
     *
     * @param before names of the same zone in the replaced tree; null if there are none
     */
    void complete(@Nullable ZoneNames before) {
        if (before != null && isSameExceptRecords(before) && hasPlainChangesSince(before)) {
            indexes.putAll(before.indexes);
            patchBase = new WeakReference<>(before);
            return;
        }
        services.keySet().forEach(this::addWildcards);
        nestedZones.forEach(this::addWildcards);
        for (NameCursor each = contents().cursor(); each.next(); ) {
            boolean isRewritten = each.has(REWRITING);
            if ((isRewritten || each.hasWildcardLabel()) && !each.isHidden() && isOutsideNestedZones(each.name())) {
                addWildcards(each.name());
                if (isRewritten) {
                    index(each.name());
                }
            }
        }
    }

    /**
     * Whether the changes since {@code before} affect only the answers of the changed names, so that no other
     * names must be compiled.
     */
    private boolean hasPlainChangesSince(ZoneNames before) {
        return contents()
                .changedSince(before.contents())
                .filter(names -> names.stream()
                        .noneMatch(name -> hasWildcard(name) || affectsOtherNames(name, before.contents())))
                .isPresent();
    }

    private static boolean hasWildcard(Name name) {
        byte[] wire = name.toWire();
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            if (wire[at] == 1 && wire[at + 1] == '*') {
                return true;
            }
        }
        return false;
    }

    private boolean affectsOtherNames(Name name, ZoneContents before) {
        return Stream.of(contents(), before)
                .anyMatch(each -> each.isDelegated(name) || each.has(name, RecordType.DNAME));
    }

    /**
     * Returns the names whose records differ from {@code before}; empty if the zones differ in other ways too.
     */
    Optional<Set<Name>> changedSince(ZoneNames before) {
        return patchBase != null && patchBase.refersTo(before)
                ? contents().changedSince(before.contents())
                : Optional.empty();
    }

    /**
     * Indexes each wildcard at or above the name, and the parent of each wildcard. A wildcard exists even if
     * only a name below it has records, and it affects the names below its parent.
     */
    private void addWildcards(Name name) {
        byte[] wire = name.toWire();
        int label = 0;
        for (int at = 0; wire[at] != 0; at += 1 + wire[at]) {
            if (wire[at] == 1 && wire[at + 1] == '*') {
                Name wildcard = new Name(name, label);
                indexIfOwn(wildcard);
                indexIfOwn(Names.parent(wildcard));
            }
            label++;
        }
    }

    private void indexIfOwn(Name name) {
        if (isOwn(name)) {
            index(name);
        }
    }

    private int index(Name name) {
        return indexes.computeIfAbsent(name, each -> indexes.size());
    }

    /** Whether a name belongs to this zone, and not to another zone of this server that is nested in it. */
    boolean isOwn(Name name) {
        return name.subdomain(apex()) && isOutsideNestedZones(name);
    }

    /** Whether a name of this zone is outside all nested zones of this server. */
    boolean isOutsideNestedZones(Name name) {
        int below = nestedZones.isEmpty() ? 0 : name.labels() - apex().labels();
        Name at = name;
        for (int i = 0; i < below; i++) {
            if (nestedZones.contains(at)) {
                return false;
            }
            at = Names.parent(at);
        }
        return true;
    }

    /**
     * Whether this zone delegates the name to another zone of this server, and so contains its NS and DS records.
     */
    boolean isDelegatedToNestedZone(Name name) {
        return nestedZones.contains(name) && contents().isDelegated(name);
    }

    /** Returns the names of this server's zones directly inside this zone. */
    Set<Name> nestedZones() {
        return nestedZones;
    }

    boolean isService(Name name) {
        return services.containsKey(name);
    }

    /** For each name with a {@link NameEntry}, returns the index of its answers in the zone's table. */
    Map<Name, Integer> indexes() {
        return indexes;
    }

    /**
     * Returns the entry of a name.
     *
     * @param all all names that have an entry, with the indexes of their answers
     */
    NameEntry entry(Name name, Map<Name, Integer> all) {
        int bytes = name.length();
        int index = Objects.requireNonNull(all.get(name), "the name has no index");
        NameLookupResult own = new NameLookupResult(NameLookupResult.Kind.NAME, zone(), bytes, index);
        if (contents().isDelegated(name)) {
            NameLookupResult cut = new NameLookupResult(NameLookupResult.Kind.DELEGATION, zone(), bytes, index);
            return new NameEntry(cut, cut, own);
        }
        return new NameEntry(own, below(name, index, all), /* parentSide= */ null);
    }

    private NameLookupResult below(Name name, int index, Map<Name, Integer> all) {
        int bytes = name.length();
        if (contents().has(name, Type.DNAME)) {
            return new NameLookupResult(NameLookupResult.Kind.REWRITTEN, zone(), bytes, index);
        }
        Integer wildcard =
                bytes + Names.WILDCARD_BYTES > Wire.MAX_NAME_BYTES ? null : wildcard(Names.wildcard(name), all);
        return wildcard != null
                ? new NameLookupResult(NameLookupResult.Kind.WILDCARD, zone(), bytes + Names.WILDCARD_BYTES, wildcard)
                : new NameLookupResult(NameLookupResult.Kind.MISSING, zone(), bytes, index);
    }

    /** The index of a wildcard; null if there is none, or if it is the name of another zone. */
    private @Nullable Integer wildcard(Name wildcard, Map<Name, Integer> all) {
        return nestedZones.contains(wildcard) ? null : all.get(wildcard);
    }
}

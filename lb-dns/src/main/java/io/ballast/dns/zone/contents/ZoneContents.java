package io.ballast.dns.zone.contents;

import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/**
 * The records of a zone by name and type. Records are stored in wire format, which takes tens of bytes per
 * record; objects are created on access.
 *
 * <p>Names are case-insensitive, and keys are in lower case; records keep their original case. Thread safety:
 * immutable; the compiler and the signer read it concurrently.
 */
public final class ZoneContents {

    /** A scratch name for lookups, one for each thread. */
    private static final ThreadLocal<QueryName> SCRATCH = ThreadLocal.withInitial(RecordStore::newQueryName);

    private static final int NONE = RecordStore.NONE;

    private static final int ALL_TYPES = -1;

    private static final long DELEGATION = TypeMask.of(RecordType.NS);
    private static final long HIDING = TypeMask.of(RecordType.NS, RecordType.DNAME);

    private final Name apex;
    private final int apexLabels;
    private final RecordStore store;
    private final int apexAddress;
    private final boolean hasSignatures;
    private final @Nullable Derivation derivation;

    /** The earlier contents from which these contents were derived, and the changed names. */
    private record Derivation(WeakReference<ZoneContents> from, Set<Name> changed) {}

    ZoneContents(Name apex, RecordStore store) {
        this(apex, store, /* derivation= */ null);
    }

    private ZoneContents(Name apex, RecordStore store, @Nullable Derivation derivation) {
        this.apex = apex;
        this.apexLabels = apex.labels() - 1;
        this.store = store;
        this.derivation = derivation;
        this.apexAddress = find(apex);
        this.hasSignatures = store.has(apexAddress, RecordType.RRSIG);
    }

    public static ZoneContents of(Name apex, Collection<? extends Record> records) {
        ZoneContentsBuilder builder = new ZoneContentsBuilder(apex);
        records.forEach(builder::add);
        return builder.build();
    }

    /**
     * Returns these contents with other records for some names. Cost: a copy of all bytes; no record objects are
     * created.
     *
     * @param changed all new records of each changed name by type; the names are in lower case; the records of a
     *     removed name are empty
     */
    public ZoneContents with(Map<Name, Map<Integer, RecordSet>> changed) {
        Derivation derived = new Derivation(new WeakReference<>(this), Set.copyOf(changed.keySet()));
        if (!store.isWasteful()) {
            ZoneContentsBuilder builder = new ZoneContentsBuilder(apex, store);
            changed.forEach(builder::replace);
            return new ZoneContents(apex, builder.finish(), derived);
        }
        ZoneContentsBuilder compact = new ZoneContentsBuilder(apex);
        Set<Name> rest = new LinkedHashSet<>(changed.keySet());
        for (Name name : names()) {
            Map<Integer, RecordSet> other = changed.get(name);
            rest.remove(name);
            compact.replace(name, other == null ? sets(name) : other);
        }
        rest.forEach(name -> compact.replace(name, changed.getOrDefault(name, Map.of())));
        return new ZoneContents(apex, compact.finish(), derived);
    }

    /**
     * Returns the names whose records differ from those in {@code before}; empty if these contents were not
     * derived from {@code before}.
     */
    public Optional<Set<Name>> changedSince(ZoneContents before) {
        return derivation != null && derivation.from().refersTo(before)
                ? Optional.of(derivation.changed())
                : Optional.empty();
    }

    /** Returns the bytes of heap that the zone needs when it is served. */
    public long neededBytes(boolean isSigned) {
        return HeapBudget.bytes(store.bytes(), store.size(), store.size(), isSigned);
    }

    /** Returns the names below the zone apex that have NS records. Cost: one access to the bytes of each name. */
    public List<Name> delegations() {
        List<Name> delegations = new ArrayList<>();
        for (NameCursor each = cursor(); each.next(); ) {
            if (each.has(DELEGATION) && !each.isApex()) {
                delegations.add(each.name());
            }
        }
        return delegations;
    }

    /** The zone's name, in lower case. */
    public Name apex() {
        return apex;
    }

    /** Whether the primary has signed the zone, that is, whether the zone apex has signatures. */
    public boolean hasSignatures() {
        return hasSignatures;
    }

    /** The number of labels of the zone's name, without the root. */
    int apexLabels() {
        return apexLabels;
    }

    boolean isApex(int name) {
        return name == apexAddress;
    }

    /** Number of names with records. */
    public int size() {
        return store.size();
    }

    /** Returns a cursor over all names with records, including names that queries do not find. */
    public NameCursor cursor() {
        return new NameCursor(this, store);
    }

    /** Iterates lazily over all names with records, including those that queries do not find. */
    public Names names() {
        return new Names(/* visibleOnly= */ false);
    }

    /** The names that queries find: those that are not below a delegation or a DNAME record. */
    public Names visible() {
        return new Names(/* visibleOnly= */ true);
    }

    /** Names of the zone, in the order in which they were added. */
    public final class Names implements Iterable<Name> {

        private final boolean visibleOnly;

        private Names(boolean visibleOnly) {
            this.visibleOnly = visibleOnly;
        }

        @Override
        public Iterator<Name> iterator() {
            return new NameIterator(visibleOnly);
        }

        @Override
        public void forEach(Consumer<? super Name> action) {
            for (Name name : this) {
                action.accept(name);
            }
        }
    }

    /** Iterates over names. */
    private final class NameIterator implements Iterator<Name> {

        private final boolean visibleOnly;
        private int next = store.firstName();

        NameIterator(boolean visibleOnly) {
            this.visibleOnly = visibleOnly;
            skipHidden();
        }

        private void skipHidden() {
            while (visibleOnly && next != NONE && isHidden(next)) {
                next = store.nextName(next);
            }
        }

        @Override
        public boolean hasNext() {
            return next != NONE;
        }

        @Override
        public Name next() {
            if (next == NONE) {
                throw new NoSuchElementException();
            }
            Name name = store.name(next);
            next = store.nextName(next);
            skipHidden();
            return name;
        }
    }

    /** Returns the record sets of a name by type; empty for a name without records. */
    public Map<Integer, RecordSet> sets(Name name) {
        int address = find(name);
        return address == NONE ? Map.of() : sets(address, name);
    }

    Map<Integer, RecordSet> sets(int address, Name name) {
        return sets(address, name, ALL_TYPES);
    }

    /** Returns the record sets of a name by type: all sets, or only the set of one type. */
    private Map<Integer, RecordSet> sets(int address, Name name, int wantedType) {
        int first = store.firstRecord(address);
        if (store.nextRecord(first) == NONE) {
            // Most names have a single record, which needs no maps and sets to detect duplicates.
            return Map.of(store.type(first), single(first, name));
        }
        Map<Integer, RecordSet.Builder> sets = new LinkedHashMap<>();
        Set<StoredRecord> seen = new HashSet<>();
        for (int record = first; record != NONE; record = store.nextRecord(record)) {
            int type = store.type(record);
            if (wantedType != ALL_TYPES && type != wantedType) {
                continue;
            }
            RecordSet.Builder set = sets.get(type);
            if (set == null) {
                set = new RecordSet.Builder(store.owner(record, name), type);
                sets.put(type, set);
            }
            set.ttl(store.ttl(record));
            if (seen.add(new StoredRecord(store, record))) {
                set.add(store.record(record, name));
            }
        }
        Map<Integer, RecordSet> built = new LinkedHashMap<>();
        sets.forEach((type, set) -> built.put(type, set.build()));
        return built;
    }

    /** A stored record. It equals other records of the same name that have the same type and data. */
    private record StoredRecord(RecordStore store, int address) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof StoredRecord record && store.isSameRecord(address, record.address);
        }

        @Override
        public int hashCode() {
            return store.recordHash(address);
        }
    }

    private int find(Name name) {
        QueryName wanted = SCRATCH.get();
        byte[] wire = name.toWire();
        wanted.read(wire, 0, wire.length);
        wanted.hash();
        return store.find(wanted, 0);
    }

    /** Whether a name has records. */
    public boolean has(Name name) {
        return find(name) != NONE;
    }

    /** Whether a name has records of a type. */
    public boolean has(Name name, int type) {
        return store.has(find(name), type);
    }

    public @Nullable RecordSet set(Name name, int type) {
        return set(find(name), name, type);
    }

    /** @param address the address of the name in the store; {@link #NONE} for a name without records */
    @Nullable RecordSet set(int address, Name name, int type) {
        int first = address == NONE ? NONE : store.nextOfType(store.firstRecord(address), type);
        if (first == NONE) {
            return null;
        }
        return store.nextOfType(store.nextRecord(first), type) == NONE
                ? single(first, name)
                : sets(address, name, type).get(type);
    }

    /** Returns a record set that consists of one record. */
    private RecordSet single(int address, Name name) {
        Record only = store.record(address, name);
        return new RecordSet(only.getName(), store.type(address), store.ttl(address), List.of(only));
    }

    /** The SOA record of the zone; null if it is missing, which is an error. */
    public @Nullable SOARecord soa() {
        RecordSet set = set(apex, Type.SOA);
        return set != null && set.records().get(0) instanceof SOARecord soa ? soa : null;
    }

    /** The SOA record of a zone that is known to have one. */
    public SOARecord requireSoa() {
        return Objects.requireNonNull(soa(), "the zone has no SOA record");
    }

    /** Whether the zone delegates this name to other servers; false for names below a delegation. */
    public boolean isDelegated(Name name) {
        return !name.equals(apex) && has(name, RecordType.NS);
    }

    boolean isHidden(int address) {
        QueryName name = SCRATCH.get();
        store.read(address, name);
        return hidingSuffix(name) != NONE;
    }

    /**
     * Returns the owner of the delegation or DNAME record above a name that hides the name; null if none does.
     */
    public @Nullable Name hidingName(Name name) {
        QueryName hidden = SCRATCH.get();
        byte[] wire = name.toWire();
        hidden.read(wire, 0, wire.length);
        int suffix = hidingSuffix(hidden);
        return suffix == NONE ? null : new Name(name, suffix);
    }

    /**
     * Returns the number of labels between a name and the delegation or DNAME above it that hides it;
     * {@link #NONE} if no name hides it.
     */
    private int hidingSuffix(QueryName name) {
        int max = name.labels() - apexLabels;
        if (max < 1) {
            return NONE;
        }
        // Fast path: in most zones, all names are at most one label below the apex.
        boolean hasDname = store.has(apexAddress, RecordType.DNAME);
        if (max == 1 && !hasDname) {
            return NONE;
        }
        name.hash();
        for (int suffix = 1; suffix < max; suffix++) {
            int above = store.find(name, suffix);
            if (above != NONE && (store.types(above) & HIDING) != 0) {
                return suffix;
            }
        }
        return hasDname && store.has(store.find(name, max), RecordType.DNAME) ? max : NONE;
    }
}

package io.ballast.dns.zone.contents;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.OctetArena;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
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
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * The records of a zone by name and type. They are kept in wire format, tens of octets each, and become objects when they
 * are asked for.
 *
 * <p>Names are compared without case, and are in lower case as keys; the records keep the case that they were given.
 * Thread safety: immutable; the compiler and the signer read it at once.
 */
public final class ZoneContents {

    private static final NameHash HASH = NameHash.random();

    /** What a thread looks names up with. */
    private static final ThreadLocal<QueryName> SCRATCH = ThreadLocal.withInitial(() -> new QueryName(HASH));

    // A name: its length, the name in lower case, then:
    private static final int NEXT_NAME = 0;
    private static final int FIRST_RECORD = 4;
    private static final int LAST_RECORD = 8;
    private static final int NAME_BYTES = 12;

    // A record: these, its data, and its owner if that is not in lower case.
    private static final int NEXT_RECORD = 0;
    private static final int OWNER_BYTES = 4;
    private static final int TTL = 5;
    private static final int TYPE = 9;
    private static final int DATA_BYTES = 11;
    private static final int DATA = 13;

    private static final int RECORD_FIXED_BYTES = 10;
    private static final int NONE = -1;

    /** So many records less one are added from one look at the budget to the next. */
    private static final int CHECKED_RECORDS = 255;

    private final Name apex;
    private final int apexLabels;
    private final OctetArena arena;
    private final NameIndex index;
    private final int firstName;
    private final int lastName;
    private final int apexAddress;
    /** Bytes of records that were replaced. */
    private final long wastedBytes;

    private final @Nullable Derivation derivation;

    /** The contents that others were made of by changing some names. */
    private record Derivation(WeakReference<ZoneContents> from, Set<Name> changed) {}

    private ZoneContents(Builder builder, @Nullable Derivation derivation) {
        this.apex = builder.apex;
        this.apexLabels = apex.labels() - 1;
        this.arena = builder.arena;
        this.index = builder.index;
        this.firstName = builder.firstName;
        this.lastName = builder.lastName;
        this.wastedBytes = builder.wastedBytes;
        this.derivation = derivation;
        this.apexAddress = find(apex);
    }

    public static ZoneContents of(Name apex, Collection<? extends Record> records) {
        Builder builder = new Builder(apex);
        records.forEach(builder::add);
        return builder.build();
    }

    /** Takes records one by one. Thread safety: confined to one thread. */
    public static final class Builder {

        private final Name apex;
        private final OctetArena arena;
        private final NameIndex index;
        private final QueryName scratch = new QueryName(HASH);
        private final HeapBudget budget;
        private final boolean signed;
        private int firstName = NONE;
        private int lastName = NONE;
        private long records;
        /** Octets of records that are too many to be kept. */
        private long countedBytes;

        private long wastedBytes;
        /** The addresses of names that have no records any more, but are still linked. */
        private final Set<Integer> removed = new HashSet<>();

        Builder(Name apex) {
            this(apex, new HeapBudget(Long.MAX_VALUE, Long.MAX_VALUE), /* signed= */ false);
        }

        /**
         * @param budget from where it is exceeded, records are only counted
         * @param signed whether the zone is to be signed
         */
        public Builder(Name apex, HeapBudget budget, boolean signed) {
            this.apex = apex;
            this.budget = budget;
            this.signed = signed;
            this.arena = new OctetArena();
            this.index = new NameIndex(arena);
        }

        /** One that begins with a copy of some contents. */
        private Builder(ZoneContents from) {
            this.apex = from.apex;
            this.budget = new HeapBudget(Long.MAX_VALUE, Long.MAX_VALUE);
            this.signed = false;
            this.arena = from.arena.copy();
            this.index = from.index.copy(arena);
            this.firstName = from.firstName;
            this.lastName = from.lastName;
            this.wastedBytes = from.wastedBytes;
        }

        /** Puts records in the place of all records of a name; none of them removes the name. */
        private void replace(Name name, Map<Integer, RecordSet> sets) {
            byte[] wire = name.toWire();
            scratch.read(wire, 0, wire.length);
            scratch.hash();
            int address = index.find(scratch, 0);
            if (address != NameIndex.NONE) {
                wastedBytes += recordBytes(address);
                link(/* name= */ address, FIRST_RECORD, /* address= */ NONE);
                link(/* name= */ address, LAST_RECORD, /* address= */ NONE);
            }
            if (sets.isEmpty()) {
                if (address != NameIndex.NONE) {
                    index.remove(scratch.hash(0), address);
                    removed.add(address);
                    wastedBytes += 1 + wire.length + NAME_BYTES;
                }
                return;
            }
            int there = address == NameIndex.NONE ? addName(wire.length) : address;
            for (RecordSet set : sets.values()) {
                for (Record each : set.records()) {
                    addRecord(there, each.toWire(Section.ANSWER), each.getName().length(), set.ttl());
                }
            }
        }

        private long recordBytes(int name) {
            long bytes = 0;
            byte[] chunk = arena.chunk(name);
            int record = Wire.u32(chunk, links(chunk, OctetArena.offset(name)) + FIRST_RECORD);
            while (record != NONE) {
                byte[] data = arena.chunk(record);
                int at = OctetArena.offset(record);
                bytes += DATA + Wire.u16(data, at + DATA_BYTES) + Wire.u8(data, at + OWNER_BYTES);
                record = Wire.u32(data, at + NEXT_RECORD);
            }
            return bytes;
        }

        /** Takes names without records out of the list of names. */
        private void unlinkRemoved() {
            int before = NONE;
            for (int name = firstName; name != NONE; ) {
                byte[] chunk = arena.chunk(name);
                int next = Wire.u32(chunk, links(chunk, OctetArena.offset(name)) + NEXT_NAME);
                if (!removed.contains(name)) {
                    before = name;
                } else if (before == NONE) {
                    firstName = next;
                } else {
                    link(before, NEXT_NAME, next);
                }
                name = next;
            }
            lastName = before;
        }

        public void add(Record each) {
            records++;
            if (countedBytes > 0 || ((records & CHECKED_RECORDS) == 0 && !budget.allows(neededBytes()))) {
                countedBytes += NAME_BYTES + DATA + NameIndex.BYTES_FOR_EACH + each.toWire(Section.ANSWER).length;
                return;
            }
            byte[] wire = each.toWire(Section.ANSWER);
            int ownerBytes = scratch.read(wire, 0, wire.length);
            scratch.hash();
            int name = index.find(scratch, 0);
            if (name == NameIndex.NONE) {
                name = addName(ownerBytes);
            }
            addRecord(name, wire, ownerBytes, each.getTTL());
        }

        private int addName(int length) {
            int address = arena.reserve(1 + length + NAME_BYTES);
            byte[] chunk = arena.chunk(address);
            int at = OctetArena.offset(address);
            chunk[at] = (byte) length;
            scratch.copy(length, chunk, at + 1);
            int links = at + 1 + length;
            Wire.putU32(chunk, links + NEXT_NAME, NONE);
            Wire.putU32(chunk, links + FIRST_RECORD, NONE);
            Wire.putU32(chunk, links + LAST_RECORD, NONE);
            index.add(scratch.hash(0), address);
            if (firstName == NONE) {
                firstName = address;
            } else {
                link(lastName, NEXT_NAME, address);
            }
            lastName = address;
            return address;
        }

        private void addRecord(int name, byte[] wire, int ownerBytes, long ttl) {
            boolean keepsOwner = !scratch.suffixEquals(0, wire, 0, ownerBytes);
            int dataAt = ownerBytes + RECORD_FIXED_BYTES;
            int dataBytes = wire.length - dataAt;
            int address = arena.reserve(DATA + dataBytes + (keepsOwner ? ownerBytes : 0));
            byte[] chunk = arena.chunk(address);
            int at = OctetArena.offset(address);
            Wire.putU32(chunk, at + NEXT_RECORD, NONE);
            chunk[at + OWNER_BYTES] = (byte) (keepsOwner ? ownerBytes : 0);
            Wire.putU32(chunk, at + TTL, (int) ttl);
            Wire.putU16(chunk, at + TYPE, Wire.u16(wire, ownerBytes));
            Wire.putU16(chunk, at + DATA_BYTES, dataBytes);
            System.arraycopy(wire, dataAt, chunk, at + DATA, dataBytes);
            if (keepsOwner) {
                System.arraycopy(wire, 0, chunk, at + DATA + dataBytes, ownerBytes);
            }
            byte[] nameChunk = arena.chunk(name);
            int links = links(nameChunk, OctetArena.offset(name));
            int last = Wire.u32(nameChunk, links + LAST_RECORD);
            if (last == NONE) {
                Wire.putU32(nameChunk, links + FIRST_RECORD, address);
            } else {
                Wire.putU32(arena.chunk(last), OctetArena.offset(last) + NEXT_RECORD, address);
            }
            Wire.putU32(nameChunk, links + LAST_RECORD, address);
        }

        private void link(int name, int field, int address) {
            byte[] chunk = arena.chunk(name);
            Wire.putU32(chunk, links(chunk, OctetArena.offset(name)) + field, address);
        }

        /** Octets of heap that the zone takes when it is served. */
        public long neededBytes() {
            // A record that was only counted is taken for a name of its own, which most are.
            long names = index.size() + (countedBytes > 0 ? records : 0);
            return HeapBudget.bytes(arena.bytes() + index.bytes() + countedBytes, names, records, signed);
        }

        /** Whether every record was kept. */
        public boolean isWhole() {
            return countedBytes == 0;
        }

        public ZoneContents build() {
            return build(/* derivation= */ null);
        }

        private ZoneContents build(@Nullable Derivation derivation) {
            if (!removed.isEmpty()) {
                unlinkRemoved();
            }
            arena.trim();
            return new ZoneContents(this, derivation);
        }
    }

    /**
     * These contents with other records of some names. Cost: a copy of all bytes; no record becomes an object.
     *
     * @param changed all records that each name, in lower case, is to have by their types; none for a name that is to go
     */
    public ZoneContents with(Map<Name, Map<Integer, RecordSet>> changed) {
        Derivation derived = new Derivation(new WeakReference<>(this), Set.copyOf(changed.keySet()));
        if (2 * wastedBytes < arena.bytes()) {
            Builder builder = new Builder(this);
            changed.forEach(builder::replace);
            return builder.build(derived);
        }
        Builder compact = new Builder(apex);
        Set<Name> rest = new LinkedHashSet<>(changed.keySet());
        for (Name name : names()) {
            Map<Integer, RecordSet> other = changed.get(name);
            rest.remove(name);
            compact.replace(name, other == null ? sets(name) : other);
        }
        rest.forEach(name -> compact.replace(name, changed.getOrDefault(name, Map.of())));
        return compact.build(derived);
    }

    /** The names that have other records than in the contents that these were made of; empty if these were not made of {@code before}. */
    public Optional<Set<Name>> changedSince(ZoneContents before) {
        return derivation != null && derivation.from().refersTo(before)
                ? Optional.of(derivation.changed())
                : Optional.empty();
    }

    /** Bytes of heap that the zone takes when it is served. */
    public long neededBytes(boolean isSigned) {
        return HeapBudget.bytes(arena.bytes() + index.bytes(), index.size(), index.size(), isSigned);
    }

    /** The names below that of the zone that have NS records. Cost: a look at the bytes of each name. */
    public List<Name> delegations() {
        List<Name> delegations = new ArrayList<>();
        for (int name = firstName; name != NONE; name = following(name)) {
            if (name != apexAddress && has(name, RecordType.NS)) {
                delegations.add(name(name));
            }
        }
        return delegations;
    }

    private static int links(byte[] chunk, int name) {
        return name + 1 + Wire.u8(chunk, name);
    }

    /** The zone's name, in lower case. */
    public Name apex() {
        return apex;
    }

    /** How many names have records. */
    public int size() {
        return index.size();
    }

    /** Every name that has records, whether or not it can be asked for; each is made when its turn comes. */
    public Names names() {
        return new Names(/* visibleOnly= */ false);
    }

    /** The names that queries find: those that do not lie below a delegation or a DNAME record. */
    public Names visible() {
        return new Names(/* visibleOnly= */ true);
    }

    /** Names of the zone, in the order in which they were given. */
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

    /** Goes from name to name. */
    private final class NameIterator implements Iterator<Name> {

        private final boolean visibleOnly;
        private int next = firstName;

        NameIterator(boolean visibleOnly) {
            this.visibleOnly = visibleOnly;
            skipHidden();
        }

        private void skipHidden() {
            while (visibleOnly && next != NONE && isHidden(next)) {
                next = following(next);
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
            Name name = name(next);
            next = following(next);
            skipHidden();
            return name;
        }
    }

    private int following(int name) {
        byte[] chunk = arena.chunk(name);
        return Wire.u32(chunk, links(chunk, OctetArena.offset(name)) + NEXT_NAME);
    }

    private Name name(int address) {
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        return parse(chunk, at + 1, Wire.u8(chunk, at));
    }

    private static Name parse(byte[] chunk, int at, int length) {
        try {
            byte[] wire = new byte[length];
            System.arraycopy(chunk, at, wire, 0, length);
            return new Name(wire);
        } catch (IOException e) {
            throw new IllegalStateException("a name that was one before", e);
        }
    }

    /** The sets of a name by type; none for a name without records. */
    public Map<Integer, RecordSet> sets(Name name) {
        int address = find(name);
        if (address == NONE) {
            return Map.of();
        }
        Map<Integer, RecordSet.Builder> sets = new LinkedHashMap<>();
        Set<ByteBuffer> seen = new HashSet<>();
        for (int record = first(address); record != NONE; ) {
            byte[] chunk = arena.chunk(record);
            int at = OctetArena.offset(record);
            int next = Wire.u32(chunk, at + NEXT_RECORD);
            int type = Wire.u16(chunk, at + TYPE);
            // A name with one record, as most are, needs no set to see that there is none twice.
            boolean alone = next == NONE && seen.isEmpty();
            boolean isNew = alone
                    || seen.add(ByteBuffer.wrap(chunk, at + TYPE, DATA - TYPE + Wire.u16(chunk, at + DATA_BYTES)));
            RecordSet.Builder set = sets.get(type);
            if (set == null) {
                set = new RecordSet.Builder(owner(chunk, at, name), type);
                sets.put(type, set);
            }
            set.ttl(Wire.u32(chunk, at + TTL) & 0xffff_ffffL);
            if (isNew) {
                set.add(record(chunk, at, name));
            }
            record = next;
        }
        Map<Integer, RecordSet> built = new LinkedHashMap<>();
        sets.forEach((type, set) -> built.put(type, set.build()));
        return built;
    }

    private static Name owner(byte[] chunk, int at, Name name) {
        int ownerBytes = Wire.u8(chunk, at + OWNER_BYTES);
        return ownerBytes == 0 ? name : parse(chunk, at + DATA + Wire.u16(chunk, at + DATA_BYTES), ownerBytes);
    }

    private static Record record(byte[] chunk, int at, Name name) {
        int dataBytes = Wire.u16(chunk, at + DATA_BYTES);
        byte[] data = new byte[dataBytes];
        System.arraycopy(chunk, at + DATA, data, 0, dataBytes);
        int type = Wire.u16(chunk, at + TYPE);
        long ttl = Wire.u32(chunk, at + TTL) & 0xffff_ffffL;
        Record made = Record.newRecord(owner(chunk, at, name), type, DClass.IN, ttl, data);
        return Objects.requireNonNull(made, () -> name + ": " + Type.string(type) + " data that cannot be read back");
    }

    private int find(Name name) {
        QueryName wanted = SCRATCH.get();
        byte[] wire = name.toWire();
        wanted.read(wire, 0, wire.length);
        wanted.hash();
        return index.find(wanted, 0);
    }

    private int first(int name) {
        byte[] chunk = arena.chunk(name);
        return Wire.u32(chunk, links(chunk, OctetArena.offset(name)) + FIRST_RECORD);
    }

    private boolean has(int name, int type) {
        if (name == NONE) {
            return false;
        }
        for (int record = first(name); record != NONE; ) {
            byte[] chunk = arena.chunk(record);
            int at = OctetArena.offset(record);
            if (Wire.u16(chunk, at + TYPE) == type) {
                return true;
            }
            record = Wire.u32(chunk, at + NEXT_RECORD);
        }
        return false;
    }

    /** Whether a name has addresses and texts and nothing else: they mean nothing to other names. */
    public boolean isPlain(Name name) {
        int address = find(name);
        for (int record = address == NONE ? NONE : first(address); record != NONE; ) {
            byte[] chunk = arena.chunk(record);
            int at = OctetArena.offset(record);
            switch (Wire.u16(chunk, at + TYPE)) {
                case Type.A, Type.AAAA, Type.TXT -> {}
                default -> {
                    return false;
                }
            }
            record = Wire.u32(chunk, at + NEXT_RECORD);
        }
        return true;
    }

    /** Whether a name has records of a type. */
    public boolean has(Name name, int type) {
        return has(find(name), type);
    }

    public @Nullable RecordSet set(Name name, int type) {
        return has(name, type) ? sets(name).get(type) : null;
    }

    /** The zone's start of authority; null if it has none, which is a fault. */
    public @Nullable SOARecord soa() {
        RecordSet set = set(apex, Type.SOA);
        return set != null && set.records().get(0) instanceof SOARecord soa ? soa : null;
    }

    /** The start of authority of a zone that was found to have one. */
    public SOARecord startOfAuthority() {
        return Objects.requireNonNull(soa(), "a zone without SOA");
    }

    /** Whether other servers are responsible for the name and all below it. */
    public boolean isDelegated(Name name) {
        return !name.equals(apex) && has(name, RecordType.NS);
    }

    private boolean isHidden(int address) {
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        QueryName name = SCRATCH.get();
        name.read(chunk, at + 1, at + 1 + Wire.u8(chunk, at));
        return hidingSuffix(name) != NONE;
    }

    /** The delegation or DNAME record above a name that hides it; null if none does. */
    public @Nullable Name hidingName(Name name) {
        QueryName hidden = SCRATCH.get();
        byte[] wire = name.toWire();
        hidden.read(wire, 0, wire.length);
        int suffix = hidingSuffix(hidden);
        return suffix == NONE ? null : new Name(name, suffix);
    }

    /** How many labels above the name that was read the name that hides it stands. */
    private int hidingSuffix(QueryName name) {
        int most = name.labels() - apexLabels;
        if (most < 1) {
            return NONE;
        }
        // Most zones have names right below their own only: these are seen at once.
        boolean hasDname = has(apexAddress, RecordType.DNAME);
        if (most == 1 && !hasDname) {
            return NONE;
        }
        name.hash();
        for (int suffix = 1; suffix < most; suffix++) {
            int above = index.find(name, suffix);
            if (has(above, RecordType.NS) || has(above, RecordType.DNAME)) {
                return suffix;
            }
        }
        return hasDname && has(index.find(name, most), RecordType.DNAME) ? most : NONE;
    }
}

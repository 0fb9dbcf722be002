package io.ballast.dns.answer.data;

import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All names of a zone and their records in wire format, in a few large arrays. A name that needs more than
 * its records, such as the zone apex, a service or a wildcard, also has a {@link NameEntry}.
 *
 * <p>Thread safety: immutable. Cost: one or two probes per name; allocates nothing.
 */
public final class StoredNames {

    private final ByteArena arena;
    private final NameIndex index;
    private final NameEntry[] entries;
    private final Zone zone;
    private final @Nullable Answer any;
    /** Approximate size of replaced or removed names in bytes. */
    private final long wastedBytes;

    private StoredNames(Builder builder) {
        this.arena = builder.arena;
        this.index = builder.index;
        this.entries = builder.entries.toArray(NameEntry[]::new);
        this.zone = builder.zone;
        this.any = builder.any;
        this.wastedBytes = builder.wastedBytes;
    }

    /** Whether so much space is wasted that the table should be rebuilt. */
    public boolean isWasteful() {
        return 2 * wastedBytes > arena.bytes();
    }

    /** Builds a table; each name may be added only once. Thread safety: confined to one thread. */
    public static final class Builder {

        private final ByteArena arena;
        private final NameIndex index;
        private final List<NameEntry> entries = new ArrayList<>();
        private final QueryName scratch;
        private final byte[] head = new byte[1 + Wire.MAX_NAME_BYTES + 5];
        private final Zone zone;
        private final @Nullable Answer any;
        private long wastedBytes;

        /**
         * @param zone zone of the names
         * @param any the answer to ANY queries for every name with records; null to answer with one of the name's
         *     record sets
         */
        public Builder(NameHash hash, Zone zone, @Nullable Answer any) {
            this.scratch = new QueryName(hash);
            this.zone = zone;
            this.any = any;
            this.arena = new ByteArena();
            this.index = new NameIndex(arena);
        }

        /** Creates a builder that starts with the names of another table. Copies all bytes. */
        public Builder(NameHash hash, StoredNames from) {
            this.scratch = new QueryName(hash);
            this.zone = from.zone;
            this.any = from.any;
            this.arena = from.arena.copy();
            this.index = from.index.copy(arena);
            this.entries.addAll(Arrays.asList(from.entries));
            this.wastedBytes = from.wastedBytes;
        }

        /** Adds a name that {@link StoredNameWriter} serialized, or replaces the existing name. */
        public void replace(byte[] written) {
            scratch.read(written, 1, written.length);
            scratch.hash();
            int before = index.find(scratch, 0);
            int address = arena.add(written, written.length);
            if (before == NameIndex.NONE) {
                index.add(scratch.hash(0), address);
            } else {
                index.move(scratch.hash(0), before, address);
                wastedBytes += written.length;
            }
        }

        /** Removes a name in wire format, if it exists. */
        public void remove(byte[] name) {
            scratch.read(name, 0, name.length);
            scratch.hash();
            int address = index.find(scratch, 0);
            if (address != NameIndex.NONE) {
                index.remove(scratch.hash(0), address);
                wastedBytes += name.length;
            }
        }

        /** Returns whether the given suffix of a hashed name was added. */
        public boolean contains(QueryName name, int suffix) {
            return index.find(name, suffix) != NameIndex.NONE;
        }

        /** Adds a name that {@link StoredNameWriter} serialized. */
        public void add(byte[] written, int length) {
            scratch.read(written, 1, written.length);
            scratch.hash();
            index.add(scratch.hash(0), arena.add(written, length));
        }

        /** Adds a name that has a {@link NameEntry}. The name is in lower case and wire format. */
        public void add(byte[] name, NameEntry entry) {
            head[0] = (byte) name.length;
            System.arraycopy(name, 0, head, 1, name.length);
            head[1 + name.length] = StoredForm.SPECIAL;
            Wire.putU32(head, 2 + name.length, entries.size());
            entries.add(entry);
            add(head, 1 + name.length + 5);
        }

        /** Builds the table; the builder must not be used afterwards. */
        public StoredNames build() {
            arena.trim();
            return new StoredNames(this);
        }
    }

    /** The number of names. */
    public int count() {
        return index.size();
    }

    /**
     * Returns the address at which the given suffix of a name is stored; {@link NameIndex#NONE} if this object does not
     * contain the suffix.
     */
    public int find(QueryName name, int suffix) {
        return index.find(name, suffix);
    }

    /**
     * Returns the lookup result of an existing name. If the name has an entry, the result is precomputed;
     * otherwise {@code into} is filled in and returned.
     */
    public NameLookupResult findAt(int address, boolean parentSide, NameLookupResult into) {
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        if ((flags & StoredForm.SPECIAL) != 0) {
            NameEntry entry = entries[Wire.u32(chunk, at + 2 + nameBytes)];
            NameLookupResult above = entry.parentSide();
            return parentSide && above != null ? above : entry.here();
        }
        boolean delegated = (flags & StoredForm.DELEGATED) != 0 && !parentSide;
        return into.set(
                delegated ? NameLookupResult.Kind.DELEGATION : NameLookupResult.Kind.NAME, zone, nameBytes, ~address);
    }

    /** Whether the zone delegates an existing name to other servers. */
    public boolean isDelegated(int address) {
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        return (flags & StoredForm.SPECIAL) != 0
                ? entries[Wire.u32(chunk, at + 2 + nameBytes)].parentSide() != null
                : (flags & StoredForm.DELEGATED) != 0;
    }

    /** Returns the lookup result of non-existent names below an existing name. */
    public NameLookupResult findBelow(int address, NameLookupResult into) {
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        if ((flags & StoredForm.SPECIAL) != 0) {
            return entries[Wire.u32(chunk, at + 2 + nameBytes)].below();
        }
        boolean delegated = (flags & StoredForm.DELEGATED) != 0;
        return into.set(
                delegated ? NameLookupResult.Kind.DELEGATION : NameLookupResult.Kind.MISSING,
                zone,
                nameBytes,
                ~address);
    }

    public ByteArena arena() {
        return arena;
    }

    public Zone zone() {
        return zone;
    }

    public @Nullable Answer any() {
        return any;
    }

    /** Returns a reader of the existing signatures, so that they can be reused. */
    public Signatures signatures() {
        return new Signatures(this);
    }

    /** Reads the existing signatures of one name at a time. Thread safety: confined to one thread. */
    public static final class Signatures {

        private final StoredNames names;
        private final StoredName name;
        private boolean found;

        private Signatures(StoredNames names) {
            this.names = names;
            this.name = new StoredName();
        }

        /** Selects the hashed name whose signatures the other methods return. */
        public void moveTo(QueryName wanted) {
            int address = names.find(wanted, 0);
            found = address != NameIndex.NONE;
            if (found) {
                byte[] chunk = names.arena.chunk(address);
                int at = ByteArena.offset(address);
                found = (chunk[at + 1 + Wire.u8(chunk, at)] & StoredForm.SPECIAL) == 0;
            }
            if (found) {
                name.moveTo(names, address);
            }
        }

        /** The data of the RRSIG record that covers the name's record set of a type; null if there is none. */
        public byte @Nullable [] ofSet(int type) {
            return found ? name.rrsigData(type) : null;
        }

        /** The data of the RRSIG record for the NSEC or NSEC3 record of the name; null if there is none. */
        public byte @Nullable [] ofProof() {
            return found ? name.proofRrsigData() : null;
        }
    }
}

package io.ballast.dns.answer;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.OctetArena;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All names that exist in a zone, with their records in wire format: a few large arrays, however many names there are. A name
 * that is more than its records has a {@link NameEntry} beside them.
 *
 * <p>Thread safety: immutable. Cost: one probe or two for a name; allocates nothing.
 */
public final class StoredNames {

    private final OctetArena arena;
    private final NameIndex index;
    private final NameEntry[] entries;
    private final Zone zone;
    private final @Nullable Answer any;
    /** Bytes of names that were replaced or removed, about. */
    private final long wastedBytes;

    private StoredNames(Builder builder) {
        this.arena = builder.arena;
        this.index = builder.index;
        this.entries = builder.entries.toArray(NameEntry[]::new);
        this.zone = builder.zone;
        this.any = builder.any;
        this.wastedBytes = builder.wastedBytes;
    }

    /** Whether so much was replaced that all of it is to be made again. */
    public boolean isWasteful() {
        return 2 * wastedBytes > arena.bytes();
    }

    /** Collects names; each once. Thread safety: confined to one thread. */
    public static final class Builder {

        private final OctetArena arena;
        private final NameIndex index;
        private final List<NameEntry> entries = new ArrayList<>();
        private final QueryName scratch;
        private final byte[] head = new byte[1 + Wire.MAX_NAME_BYTES + 5];
        private final Zone zone;
        private final @Nullable Answer any;
        private long wastedBytes;

        /**
         * @param zone that the names are of
         * @param any answers ANY for every name that has records; null where one of its sets does
         */
        public Builder(NameHash hash, Zone zone, @Nullable Answer any) {
            this.scratch = new QueryName(hash);
            this.zone = zone;
            this.any = any;
            this.arena = new OctetArena();
            this.index = new NameIndex(arena);
        }

        /** One that has the names of another table. Cost: a copy of all bytes. */
        public Builder(NameHash hash, StoredNames from) {
            this.scratch = new QueryName(hash);
            this.zone = from.zone;
            this.any = from.any;
            this.arena = from.arena.copy();
            this.index = from.index.copy(arena);
            this.entries.addAll(Arrays.asList(from.entries));
            this.wastedBytes = from.wastedBytes;
        }

        /** Puts a name as {@link StoredNameWriter} wrote it in the place of the one that is there, or adds it. */
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

        /** Removes a name, in wire format, if it is there. */
        public void remove(byte[] name) {
            scratch.read(name, 0, name.length);
            scratch.hash();
            int address = index.find(scratch, 0);
            if (address != NameIndex.NONE) {
                index.remove(scratch.hash(0), address);
                wastedBytes += name.length;
            }
        }

        /** Whether a suffix of a name, which is hashed, was added. */
        public boolean contains(QueryName name, int suffix) {
            return index.find(name, suffix) != NameIndex.NONE;
        }

        /** Adds a name as {@link StoredNameWriter} wrote it. */
        public void add(byte[] written, int length) {
            scratch.read(written, 1, written.length);
            scratch.hash();
            index.add(scratch.hash(0), arena.add(written, length));
        }

        /** Adds a name, in lower case and wire format, that is more than its records. */
        public void add(byte[] name, NameEntry entry) {
            head[0] = (byte) name.length;
            System.arraycopy(name, 0, head, 1, name.length);
            head[1 + name.length] = StoredForm.SPECIAL;
            Wire.putU32(head, 2 + name.length, entries.size());
            entries.add(entry);
            add(head, 1 + name.length + 5);
        }

        /** Returns what was collected; nothing is added afterwards. */
        public StoredNames build() {
            arena.trim();
            return new StoredNames(this);
        }
    }

    /** How many names there are. */
    public int count() {
        return index.size();
    }

    /** The address of the name that a suffix of {@code name} is; {@link NameIndex#NONE} if no such name exists. */
    int find(QueryName name, int suffix) {
        return index.find(name, suffix);
    }

    /** Where a name that exists leads; {@code into} is filled in if it was not found out before. */
    Place here(int address, boolean parentSide, Place into) {
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        if ((flags & StoredForm.SPECIAL) != 0) {
            NameEntry entry = entries[Wire.u32(chunk, at + 2 + nameBytes)];
            Place above = entry.parentSide();
            return parentSide && above != null ? above : entry.here();
        }
        boolean delegated = (flags & StoredForm.DELEGATED) != 0 && !parentSide;
        return into.set(delegated ? Place.Kind.DELEGATION : Place.Kind.NAME, zone, nameBytes, ~address);
    }

    /** Whether the zone leaves a name that exists to other servers. */
    boolean isDelegated(int address) {
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        return (flags & StoredForm.SPECIAL) != 0
                ? entries[Wire.u32(chunk, at + 2 + nameBytes)].parentSide() != null
                : (flags & StoredForm.DELEGATED) != 0;
    }

    /** Where names below one lead that do not exist. */
    Place below(int address, Place into) {
        byte[] chunk = arena.chunk(address);
        int at = OctetArena.offset(address);
        int nameBytes = Wire.u8(chunk, at);
        int flags = chunk[at + 1 + nameBytes];
        if ((flags & StoredForm.SPECIAL) != 0) {
            return entries[Wire.u32(chunk, at + 2 + nameBytes)].below();
        }
        boolean delegated = (flags & StoredForm.DELEGATED) != 0;
        return into.set(delegated ? Place.Kind.DELEGATION : Place.Kind.MISSING, zone, nameBytes, ~address);
    }

    OctetArena arena() {
        return arena;
    }

    Zone zone() {
        return zone;
    }

    @Nullable Answer any() {
        return any;
    }

    /** Reads signatures again that were made before. */
    public Signatures signatures() {
        return new Signatures(this);
    }

    /** The signatures that stand in some names. Thread safety: confined to one thread. */
    public static final class Signatures {

        private final StoredNames names;
        private final StoredName name;
        private boolean there;

        private Signatures(StoredNames names) {
            this.names = names;
            this.name = new StoredName();
        }

        /** Goes to a name, which is hashed. */
        public void moveTo(QueryName wanted) {
            int address = names.find(wanted, 0);
            there = address != NameIndex.NONE;
            if (there) {
                byte[] chunk = names.arena.chunk(address);
                int at = OctetArena.offset(address);
                there = (chunk[at + 1 + Wire.u8(chunk, at)] & StoredForm.SPECIAL) == 0;
            }
            if (there) {
                name.moveTo(names, address);
            }
        }

        /** The data of the RRSIG record of a set; null if it has none. */
        public byte @Nullable [] ofSet(int type) {
            return there ? name.rrsigData(type) : null;
        }

        /** The data of the RRSIG record of the proof of the name's types; null if it has none. */
        public byte @Nullable [] ofProof() {
            return there ? name.proofRrsigData() : null;
        }
    }
}

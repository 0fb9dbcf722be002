package io.ballast.dns.zone.contents;

import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.NameIndex;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Stores the records of a zone: a list of names, each with a list of its records. Names are found by their
 * hashes. An address (an offset in the store) identifies a name or a record.
 *
 * <pre>
 *   a name:    1  its length   n  the name in lower case   4  next name   4  first record   4  last record
 *   a record:  4  next record  1  length of its owner, 0 if the owner is in lower case   4  TTL   2  type
 *              2  length of its data   n  data   n  owner
 * </pre>
 *
 * <p>Thread safety: filled by one thread; any thread may read a published store.
 */
final class RecordStore {

    /** Sentinel for a missing name or record: it is not an offset in the store. */
    static final int NONE = -1;

    /** Bytes that a stored name needs in addition to the name itself. */
    static final int NAME_BYTES = 12;

    /** Number of bytes that a stored record has before its RDATA. */
    static final int DATA = 13;

    private static final NameHash HASH = NameHash.random();

    private static final int NEXT_NAME = 0;
    private static final int FIRST_RECORD = 4;
    private static final int LAST_RECORD = 8;

    private static final int NEXT_RECORD = 0;
    private static final int OWNER_BYTES = 4;
    private static final int TTL = 5;
    private static final int TYPE = 9;
    private static final int DATA_BYTES = 11;

    /** Bytes between the owner of a record and its data, in a message. */
    private static final int RECORD_FIXED_BYTES = 10;

    private final ByteArena arena;
    private final NameIndex index;
    private int firstName = NONE;
    private int lastName = NONE;
    /** Bytes of replaced records, which are still in the store. */
    private long wastedBytes;

    RecordStore() {
        this.arena = new ByteArena();
        this.index = new NameIndex(arena);
    }

    private RecordStore(RecordStore from) {
        this.arena = from.arena.copy();
        this.index = from.index.copy(arena);
        this.firstName = from.firstName;
        this.lastName = from.lastName;
        this.wastedBytes = from.wastedBytes;
    }

    /** Returns a copy with the same names and records at the same addresses. Cost: a copy of all bytes. */
    RecordStore copy() {
        return new RecordStore(this);
    }

    /** Returns a new scratch name for lookups. */
    static QueryName newQueryName() {
        return new QueryName(HASH);
    }

    /** Number of names. */
    int size() {
        return index.size();
    }

    /** Returns the memory use in bytes. */
    long bytes() {
        return arena.bytes() + index.bytes();
    }

    /** Whether replaced records waste so much space that the whole store should be rewritten. */
    boolean isWasteful() {
        return 2 * wastedBytes >= arena.bytes();
    }

    /** Releases unused capacity; nothing can be added afterwards. */
    void trim() {
        arena.trim();
    }

    int firstName() {
        return firstName;
    }

    /** Returns the name that was added after the given name; {@link #NONE} after the last name. */
    int nextName(int name) {
        byte[] chunk = arena.chunk(name);
        return Wire.u32(chunk, links(chunk, ByteArena.offset(name)) + NEXT_NAME);
    }

    /**
     * Returns the address in this store of the name that equals a suffix of a hashed name; {@link #NONE} if
     * there is none.
     */
    int find(QueryName name, int suffix) {
        return index.find(name, suffix);
    }

    int firstRecord(int name) {
        byte[] chunk = arena.chunk(name);
        return Wire.u32(chunk, links(chunk, ByteArena.offset(name)) + FIRST_RECORD);
    }

    int nextRecord(int record) {
        return Wire.u32(arena.chunk(record), ByteArena.offset(record) + NEXT_RECORD);
    }

    int type(int record) {
        return Wire.u16(arena.chunk(record), ByteArena.offset(record) + TYPE);
    }

    /** Returns the TTL in seconds, 0 to 2^32 - 1. */
    long ttl(int record) {
        return Wire.u32(arena.chunk(record), ByteArena.offset(record) + TTL) & 0xffff_ffffL;
    }

    /** Returns whether two records are equal; compares the bytes of their types and data. */
    boolean isSameRecord(int one, int other) {
        byte[] left = arena.chunk(one);
        byte[] right = arena.chunk(other);
        int at = ByteArena.offset(one);
        int with = ByteArena.offset(other);
        return Arrays.equals(left, at + TYPE, dataEnd(left, at), right, with + TYPE, dataEnd(right, with));
    }

    /** Returns a hash of the record; different records rarely have the same hash. */
    int recordHash(int record) {
        byte[] chunk = arena.chunk(record);
        int at = ByteArena.offset(record);
        int hash = 1;
        for (int i = at + TYPE; i < dataEnd(chunk, at); i++) {
            hash = 31 * hash + chunk[i];
        }
        return hash;
    }

    private static int dataEnd(byte[] chunk, int record) {
        return record + DATA + Wire.u16(chunk, record + DATA_BYTES);
    }

    /** Returns 32 bits of a record's data, starting at offset {@code at}. */
    int dataWord(int record, int at) {
        return Wire.u32(arena.chunk(record), ByteArena.offset(record) + DATA + at);
    }

    boolean has(int name, int type) {
        if (name == NONE) {
            return false;
        }
        return nextOfType(firstRecord(name), type) != NONE;
    }

    /** Returns the first record of a type in a name's list, from {@code record} on; {@link #NONE} if there is none. */
    int nextOfType(int record, int type) {
        int next = record;
        while (next != NONE && type(next) != type) {
            next = nextRecord(next);
        }
        return next;
    }

    /** The types of a name's records; see {@link TypeMask}. */
    long types(int name) {
        long types = 0;
        for (int record = firstRecord(name); record != NONE; record = nextRecord(record)) {
            types |= TypeMask.of(type(record));
        }
        return types;
    }

    /** Reads a stored name into {@code into}, so that the name or its ancestors can be looked up. */
    void read(int name, QueryName into) {
        byte[] chunk = arena.chunk(name);
        int at = ByteArena.offset(name);
        into.read(chunk, at + 1, at + 1 + Wire.u8(chunk, at));
    }

    /** The number of labels of a name, without the root. */
    int labels(int name) {
        byte[] chunk = arena.chunk(name);
        int labels = 0;
        for (int at = ByteArena.offset(name) + 1; chunk[at] != 0; at += 1 + chunk[at]) {
            labels++;
        }
        return labels;
    }

    /** Whether one of the labels of a name is an asterisk. */
    boolean hasWildcardLabel(int name) {
        byte[] chunk = arena.chunk(name);
        for (int at = ByteArena.offset(name) + 1; chunk[at] != 0; at += 1 + chunk[at]) {
            if (chunk[at] == 1 && chunk[at + 1] == '*') {
                return true;
            }
        }
        return false;
    }

    Name name(int address) {
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        return parse(chunk, at + 1, Wire.u8(chunk, at));
    }

    private static Name parse(byte[] chunk, int at, int length) {
        try {
            byte[] wire = new byte[length];
            System.arraycopy(chunk, at, wire, 0, length);
            return new Name(wire);
        } catch (IOException e) {
            throw new IllegalStateException("a previously valid name is invalid", e);
        }
    }

    /** The name of a record in its original case. */
    Name owner(int record, Name inLowerCase) {
        byte[] chunk = arena.chunk(record);
        int at = ByteArena.offset(record);
        int ownerBytes = Wire.u8(chunk, at + OWNER_BYTES);
        return ownerBytes == 0 ? inLowerCase : parse(chunk, dataEnd(chunk, at), ownerBytes);
    }

    /** @param name the owner name of the record, in lower case */
    Record record(int record, Name name) {
        byte[] chunk = arena.chunk(record);
        int at = ByteArena.offset(record);
        int dataBytes = Wire.u16(chunk, at + DATA_BYTES);
        byte[] data = new byte[dataBytes];
        System.arraycopy(chunk, at + DATA, data, 0, dataBytes);
        int type = Wire.u16(chunk, at + TYPE);
        Record made = Record.newRecord(owner(record, name), type, DClass.IN, ttl(record), data);
        return Objects.requireNonNull(made, () -> name + ": " + Type.string(type) + " data cannot be read back");
    }

    /**
     * Adds a name and returns its address in the store. The name must have been read and hashed, and must not be
     * in the store yet.
     */
    int addName(QueryName name) {
        int length = name.length();
        int address = arena.reserve(1 + length + NAME_BYTES);
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        chunk[at] = (byte) length;
        name.copy(length, chunk, at + 1);
        int links = at + 1 + length;
        Wire.putU32(chunk, links + NEXT_NAME, NONE);
        Wire.putU32(chunk, links + FIRST_RECORD, NONE);
        Wire.putU32(chunk, links + LAST_RECORD, NONE);
        index.add(name.hash(0), address);
        if (firstName == NONE) {
            firstName = address;
        } else {
            link(lastName, NEXT_NAME, address);
        }
        lastName = address;
        return address;
    }

    /**
     * Adds a record to a name.
     *
     * @param read the owner name, as the caller has just looked it up
     * @param wire the record in wire format
     */
    void addRecord(int name, QueryName read, byte[] wire, long ttl) {
        int ownerBytes = read.length();
        boolean keepsOwner = !read.suffixEquals(0, wire, 0, ownerBytes);
        int dataAt = ownerBytes + RECORD_FIXED_BYTES;
        int dataBytes = wire.length - dataAt;
        int address = arena.reserve(DATA + dataBytes + (keepsOwner ? ownerBytes : 0));
        byte[] chunk = arena.chunk(address);
        int at = ByteArena.offset(address);
        Wire.putU32(chunk, at + NEXT_RECORD, NONE);
        chunk[at + OWNER_BYTES] = (byte) (keepsOwner ? ownerBytes : 0);
        Wire.putU32(chunk, at + TTL, (int) ttl);
        Wire.putU16(chunk, at + TYPE, Wire.u16(wire, ownerBytes));
        Wire.putU16(chunk, at + DATA_BYTES, dataBytes);
        System.arraycopy(wire, dataAt, chunk, at + DATA, dataBytes);
        if (keepsOwner) {
            System.arraycopy(wire, 0, chunk, at + DATA + dataBytes, ownerBytes);
        }
        append(name, address);
    }

    private void append(int name, int record) {
        byte[] chunk = arena.chunk(name);
        int links = links(chunk, ByteArena.offset(name));
        int last = Wire.u32(chunk, links + LAST_RECORD);
        if (last == NONE) {
            Wire.putU32(chunk, links + FIRST_RECORD, record);
        } else {
            Wire.putU32(arena.chunk(last), ByteArena.offset(last) + NEXT_RECORD, record);
        }
        Wire.putU32(chunk, links + LAST_RECORD, record);
    }

    /** Drops the records of a name. */
    void dropRecords(int name) {
        for (int record = firstRecord(name); record != NONE; record = nextRecord(record)) {
            byte[] chunk = arena.chunk(record);
            int at = ByteArena.offset(record);
            wastedBytes += DATA + Wire.u16(chunk, at + DATA_BYTES) + Wire.u8(chunk, at + OWNER_BYTES);
        }
        link(name, FIRST_RECORD, NONE);
        link(name, LAST_RECORD, NONE);
    }

    /**
     * Removes a hashed name from the index. The linked list of names contains it until {@link #unlink} is called.
     */
    void removeName(QueryName name, int address) {
        index.remove(name.hash(0), address);
        wastedBytes += 1 + name.length() + NAME_BYTES;
    }

    /** Removes names from the linked list of all names. Cost: one access to each name in the list. */
    void unlink(Set<Integer> names) {
        int before = NONE;
        for (int name = firstName; name != NONE; ) {
            int next = nextName(name);
            if (!names.contains(name)) {
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

    private void link(int name, int field, int address) {
        byte[] chunk = arena.chunk(name);
        Wire.putU32(chunk, links(chunk, ByteArena.offset(name)) + field, address);
    }

    private static int links(byte[] chunk, int name) {
        return name + 1 + Wire.u8(chunk, name);
    }
}

package io.ballast.http.h2.wire;

import java.util.Arrays;

/** The dynamic table of HPACK (RFC 7541 section 2.3.2). Index 0 is the newest entry. Confined to one thread. */
final class DynamicTable {

    /** Bytes added to the name and value to get the size of an entry (RFC 7541 section 4.1). */
    static final int OVERHEAD = 32;

    private byte[][] fields = new byte[16][];
    private int[] nameLengths = new int[16];
    private int newest;
    private int count;
    private int size;
    private int capacity;

    DynamicTable(int capacity) {
        this.capacity = capacity;
    }

    /** Number of entries. */
    int count() {
        return count;
    }

    /** The name and the value of an entry, concatenated. Must not be modified. */
    byte[] field(int index) {
        return fields[slot(index)];
    }

    int nameLength(int index) {
        return nameLengths[slot(index)];
    }

    void resize(int bytes) {
        capacity = bytes;
        evict(0);
    }

    /** Adds an entry; an entry larger than the table empties it (RFC 7541 section 4.4). */
    void add(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength) {
        int bytes = nameLength + valueLength + OVERHEAD;
        if (bytes > capacity) {
            evict(capacity);
            return;
        }
        // Copy before evicting: the name may belong to an entry that is evicted.
        byte[] field = new byte[nameLength + valueLength];
        System.arraycopy(names, nameFrom, field, 0, nameLength);
        System.arraycopy(values, valueFrom, field, nameLength, valueLength);
        evict(bytes);
        if (count == fields.length) {
            grow();
        }
        newest = (newest + 1) & (fields.length - 1);
        fields[newest] = field;
        nameLengths[newest] = nameLength;
        count++;
        size += bytes;
    }

    /** Evicts the oldest entries until an entry of {@code bytes} bytes fits. */
    private void evict(int bytes) {
        while (count > 0 && size + bytes > capacity) {
            int oldest = slot(count - 1);
            size -= fields[oldest].length + OVERHEAD;
            fields[oldest] = EMPTY;
            count--;
        }
    }

    private static final byte[] EMPTY = {};

    private int slot(int index) {
        return (newest - index) & (fields.length - 1);
    }

    private void grow() {
        byte[][] more = new byte[fields.length * 2][];
        int[] lengths = new int[more.length];
        Arrays.fill(more, EMPTY);
        for (int i = 0; i < count; i++) {
            more[count - 1 - i] = fields[slot(i)];
            lengths[count - 1 - i] = nameLengths[slot(i)];
        }
        fields = more;
        nameLengths = lengths;
        newest = count - 1;
    }
}

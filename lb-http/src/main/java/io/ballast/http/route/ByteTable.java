package io.ballast.http.route;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with byte string keys. Lookups pass a byte range and its hash, which the caller has computed
 * incrementally.
 *
 * <p>Immutable. Open addressing, at most half full. Cost of a lookup: none if no key has the range's length (modulo
 * 64), otherwise one probe and, if the hashes are equal, one comparison; no allocation.
 */
final class ByteTable<V> {

    private static final int SPREAD = 0x9E3779B9;

    /** Hash, key and value are stored together to reduce cache misses. */
    private static final class Entry<V> {

        final int hash;
        final byte[] key;
        final V value;

        Entry(int hash, byte[] key, V value) {
            this.hash = hash;
            this.key = key;
            this.value = value;
        }
    }

    private final @Nullable Entry<V>[] slots;
    private final int shift;
    private final boolean ignoreCase;
    private final int longest;
    private final long lengths;

    private ByteTable(Map<String, V> entries, boolean fromTheEnd) {
        int bits = Math.max(1, 33 - Integer.numberOfLeadingZeros(entries.size()));
        @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
        @Nullable Entry<V>[] empty = new Entry[1 << bits];
        this.slots = empty;
        this.shift = 32 - bits;
        this.ignoreCase = fromTheEnd;
        int max = 0;
        long all = 0;
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            byte[] key = entry.getKey().getBytes(StandardCharsets.ISO_8859_1);
            put(new Entry<>(hash(key, fromTheEnd), key, entry.getValue()));
            max = Math.max(max, key.length);
            all |= 1L << key.length;
        }
        this.longest = max;
        this.lengths = all;
    }

    /** Creates a table whose keys are hashed from first to last byte. Each character is one byte. */
    static <V> ByteTable<V> ofPaths(Map<String, V> entries) {
        return new ByteTable<>(entries, /* fromTheEnd= */ false);
    }

    /** Creates a table whose lower-case keys are hashed from last to first byte; lookups ignore case. */
    static <V> ByteTable<V> ofHosts(Map<String, V> entries) {
        return new ByteTable<>(entries, /* fromTheEnd= */ true);
    }

    /** Extends {@code hash}, initially 0, by one byte. */
    static int step(int hash, byte b) {
        return hash * 31 + b;
    }

    static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
    }

    private static int hash(byte[] key, boolean fromTheEnd) {
        int hash = 0;
        for (int i = 0; i < key.length; i++) {
            hash = step(hash, key[fromTheEnd ? key.length - 1 - i : i]);
        }
        return hash;
    }

    private void put(Entry<V> entry) {
        int slot = slot(entry.hash);
        while (slots[slot] != null) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = entry;
    }

    /** The length of the longest key in bytes. */
    int longest() {
        return longest;
    }

    boolean isEmpty() {
        return longest == 0;
    }

    /** The value for the key {@code bytes[from, to)}, whose hash is {@code hash}; null if there is none. */
    @Nullable V get(byte[] bytes, int from, int to, int hash) {
        if ((lengths & 1L << (to - from)) == 0) {
            return null;
        }
        for (int slot = slot(hash); ; slot = (slot + 1) & (slots.length - 1)) {
            Entry<V> entry = slots[slot];
            if (entry == null) {
                return null;
            }
            if (entry.hash == hash && equal(entry.key, bytes, from, to)) {
                return entry.value;
            }
        }
    }

    private boolean equal(byte[] key, byte[] bytes, int from, int to) {
        if (!ignoreCase) {
            return Arrays.equals(key, 0, key.length, bytes, from, to);
        }
        if (key.length != to - from) {
            return false;
        }
        for (int i = 0; i < key.length; i++) {
            if (lower(bytes[from + i]) != key[i]) {
                return false;
            }
        }
        return true;
    }

    private int slot(int hash) {
        return (hash * SPREAD) >>> shift;
    }
}

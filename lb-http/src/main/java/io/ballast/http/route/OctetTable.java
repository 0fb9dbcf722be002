package io.ballast.http.route;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from texts to values that is asked with ranges of octets, whose hash the caller has made step by step
 * while it looked at them.
 *
 * <p>Immutable. Open addressing, at most half full. Cost of a look-up: one probe and, if the hashes are equal, one
 * comparison; allocates nothing.
 */
final class OctetTable<V> {

    private static final int SPREAD = 0x9E3779B9;

    private final byte[][] keys;
    private final int[] hashes;
    private final @Nullable Object[] values;
    private final int shift;
    private final boolean ignoreCase;
    private final int longest;

    private OctetTable(Map<String, V> entries, boolean fromTheEnd) {
        int bits = Math.max(1, 33 - Integer.numberOfLeadingZeros(entries.size()));
        this.keys = new byte[1 << bits][0];
        this.hashes = new int[1 << bits];
        this.values = new @Nullable Object[1 << bits];
        this.shift = 32 - bits;
        this.ignoreCase = fromTheEnd;
        int most = 0;
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            byte[] key = entry.getKey().getBytes(StandardCharsets.ISO_8859_1);
            put(key, hash(key, fromTheEnd), entry.getValue());
            most = Math.max(most, key.length);
        }
        this.longest = most;
    }

    /** Keys are hashed from their first octet to their last. Each character is one octet. */
    static <V> OctetTable<V> ofPaths(Map<String, V> entries) {
        return new OctetTable<>(entries, /* fromTheEnd= */ false);
    }

    /** Keys, in lower case, are hashed from their last octet to their first; looked up without regard to case. */
    static <V> OctetTable<V> ofHosts(Map<String, V> entries) {
        return new OctetTable<>(entries, /* fromTheEnd= */ true);
    }

    /** The hash of what was hashed to {@code hash}, 0 for nothing, and one more octet. */
    static int step(int hash, byte octet) {
        return hash * 31 + octet;
    }

    static byte lower(byte octet) {
        return octet >= 'A' && octet <= 'Z' ? (byte) (octet + 32) : octet;
    }

    private static int hash(byte[] key, boolean fromTheEnd) {
        int hash = 0;
        for (int i = 0; i < key.length; i++) {
            hash = step(hash, key[fromTheEnd ? key.length - 1 - i : i]);
        }
        return hash;
    }

    private void put(byte[] key, int hash, V value) {
        int slot = slot(hash);
        while (values[slot] != null) {
            slot = (slot + 1) & (values.length - 1);
        }
        keys[slot] = key;
        hashes[slot] = hash;
        values[slot] = value;
    }

    /** The number of octets of the longest key. */
    int longest() {
        return longest;
    }

    boolean isEmpty() {
        return longest == 0;
    }

    /** The value of {@code bytes[from, to)}, whose hash is given. */
    @Nullable V get(byte[] bytes, int from, int to, int hash) {
        for (int slot = slot(hash); ; slot = (slot + 1) & (values.length - 1)) {
            Object value = values[slot];
            if (value == null) {
                return null;
            }
            if (hashes[slot] == hash && equal(keys[slot], bytes, from, to)) {
                @SuppressWarnings("unchecked") // put() takes nothing else
                V found = (V) value;
                return found;
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

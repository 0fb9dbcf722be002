package io.ballast.dns.wire;

import java.util.Arrays;

/**
 * The name of a question in lower case, with the offset and the hash of each of its suffixes.
 *
 * <p>Suffix {@code 0} is the whole name, suffix {@code 1} the name without its first label, suffix {@link
 * #labels} the root. Thread safety: confined to one thread, which reuses it for one query after the other.
 */
public final class QueryName {

    private static final int MAX_LABELS = (Wire.MAX_NAME_BYTES - 1) / 2;

    private final NameHash hash;
    private final byte[] bytes = new byte[Wire.MAX_NAME_BYTES + NameHash.READ_AHEAD];
    private final int[] offsets = new int[MAX_LABELS + 1];
    private final long[] hashes = new long[MAX_LABELS + 1];
    private int labels;
    private int length;

    public QueryName(NameHash hash) {
        this.hash = hash;
    }

    /** Returns a new instance that uses the same hash function and holds no name yet. */
    public QueryName newWithSameHash() {
        return new QueryName(hash);
    }

    /**
     * Reads the name at {@code start} of a message that ends at {@code end}.
     *
     * @return the end of the name; -1 if the name is cut short, too long or compressed (questions do not need
     *     compression)
     */
    public int read(byte[] message, int start, int end) {
        int limit = Math.min(end, start + Wire.MAX_NAME_BYTES);
        int at = start;
        int count = 0;
        while (at < limit) {
            int label = Wire.u8(message, at);
            offsets[count] = at - start;
            if (label == 0) {
                labels = count;
                length = at + 1 - start;
                lowerCase(message, start);
                return at + 1;
            }
            if (label > Wire.MAX_LABEL_BYTES) {
                return -1;
            }
            at += 1 + label;
            count++;
        }
        return -1;
    }

    /**
     * Converts the name to lower case. Length bytes need not be skipped: they are at most 63 and therefore never
     * equal an upper-case letter.
     */
    private void lowerCase(byte[] message, int start) {
        for (int i = 0; i < length; i++) {
            int b = message[start + i];
            bytes[i] = (byte) (b >= 'A' && b <= 'Z' ? b | 0x20 : b);
        }
    }

    /** Computes the hash of every suffix. */
    public void hash() {
        long above = hash.root();
        hashes[labels] = above;
        for (int i = labels - 1; i >= 0; i--) {
            int label = offsets[i] + 1;
            above = hash.hashBelow(above, bytes, label, offsets[i + 1] - label);
            hashes[i] = above;
        }
    }

    /** Copies the first {@code count} bytes of the name, in lower case. */
    public void copy(int count, byte[] target) {
        copy(count, target, 0);
    }

    /**
     * Copies the first {@code count} bytes of the name, in lower case, to offset {@code at} of {@code target}.
     */
    public void copy(int count, byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, count);
    }

    /** Number of labels, without the root label. */
    public int labels() {
        return labels;
    }

    /** Returns the length of the name in wire format in bytes, including the root label. */
    public int length() {
        return length;
    }

    /** Returns the hash of a suffix. {@link #hash()} must have been called before. */
    public long hash(int suffix) {
        return hashes[suffix];
    }

    /** Whether a suffix is the given name, in lower case and wire format. */
    public boolean suffixEquals(int suffix, byte[] name) {
        return suffixEquals(suffix, name, 0, name.length);
    }

    /**
     * Returns whether a suffix equals the name of {@code count} bytes at {@code start}, in lower case and wire format.
     */
    public boolean suffixEquals(int suffix, byte[] name, int start, int count) {
        int offset = offsets[suffix];
        return length - offset == count && Arrays.equals(bytes, offset, length, name, start, start + count);
    }
}

package io.ballast.core.net;

import java.util.Arrays;

/**
 * Finds the few range starts near an address, with a radix tree over the sorted range starts. A node has
 * about as many entries as there are range starts below it, so most look-ups end after one to three steps.
 * The root skips the bits that all range starts have in common.
 *
 * <p>A node is a sequence of entries, one for each value of its bits. A non-negative entry ends the look-up.
 * It contains the number of range starts before its part of the address space. Its lower {@value #COUNT_BITS}
 * bits contain the number of range starts inside that part. A negative entry is the complement of a pointer
 * to the next node. The pointer contains the position where the node begins, and in the lower {@value
 * #NODE_BITS} bits the number of address bits of that node.
 *
 * <p>Addresses are left-aligned: they have 128 bits in two words. An IPv4 address occupies the first 32 bits, and the
 * other bits are 0. Confined to one thread while it is built; the result of {@link #entries} never changes.
 */
public final class RadixIndex {

    /** The number of bits of an entry that count range starts. */
    private static final int COUNT_BITS = 3;

    /** The number of bits of a pointer that contain the number of address bits of its node. */
    private static final int NODE_BITS = 5;

    /** Maximum number of range starts that are searched linearly. */
    static final int MAX = (1 << COUNT_BITS) - 1;

    /**
     * Maximum number of address bits of a node. With larger nodes, the additional cache misses would cost more
     * time than the fewer steps save.
     */
    private static final int MAX_NODE_BITS = 16;

    private final long[] high;
    private final long[] low;
    private final int rootPosition;
    private final int rootBits;
    private int[] entries = new int[1024];
    private int used;

    /** Builds the tree of the range starts, beginning at index {@code first}. At least one start is required. */
    public RadixIndex(long[] high, long[] low, int first) {
        this(high, low, first, MAX_NODE_BITS);
    }

    /** @param maxRootBits the maximum number of address bits of the root, which has about as many entries as starts */
    RadixIndex(long[] high, long[] low, int first, int maxRootBits) {
        this.high = high;
        this.low = low;
        int last = high.length - 1;
        int common = commonPrefixLength(high[first], low[first], high[last], low[last]);
        this.rootPosition = Math.min(common, 127);
        this.rootBits = bits(high.length - first, rootPosition, maxRootBits);
        addNode(first, high.length, rootPosition, rootBits);
    }

    /** Number of leading bits that the root skips. */
    public int rootPosition() {
        return rootPosition;
    }

    /** Number of address bits of the root. */
    public int rootBits() {
        return rootBits;
    }

    /** The finished tree; its root begins at index 0. */
    public int[] entries() {
        return Arrays.copyOf(entries, used);
    }

    /**
     * Returns the entry of an address, which must begin with the bits that the root skips.
     *
     * @param entries see {@link #entries}
     */
    public static int find(int[] entries, int rootPosition, int rootBits, long high, long low) {
        int entry = entries[digit(high, low, rootPosition, rootBits)];
        int position = rootPosition + rootBits;
        while (entry < 0) {
            int bits = ~entry & ((1 << NODE_BITS) - 1);
            entry = entries[(~entry >> NODE_BITS) + digit(high, low, position, bits)];
            position += bits;
        }
        return entry;
    }

    /** The number of ranges that start before the part of the address space that an entry covers. */
    public static int startsBefore(int entry) {
        return entry >> COUNT_BITS;
    }

    /** The number of ranges that start inside the part of the address space that an entry covers. */
    public static int startsInside(int entry) {
        return entry & MAX;
    }

    /**
     * Returns address bits, beginning at {@code position}; they must all be in one of the address's two words.
     */
    private static int digit(long high, long low, int position, int bits) {
        long word = position < 64 ? high : low;
        return (int) (word << position >>> (64 - bits)); // Java shifts count modulo 64
    }

    /** Number of common leading bits of two addresses; 128 if they are equal. */
    public static int commonPrefixLength(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh
                ? 64 + Long.numberOfLeadingZeros(low ^ otherLow)
                : Long.numberOfLeadingZeros(high ^ otherHigh);
    }

    /**
     * Returns the number of address bits of a node. The node gets about one entry for each range start, but its
     * bits never extend beyond the end of a word.
     */
    private static int bits(int starts, int position, int max) {
        int wanted = 32 - Integer.numberOfLeadingZeros(starts - 1);
        return Math.min(Math.max(1, Math.min(wanted, max)), 64 - (position & 63));
    }

    /** Adds a node for range starts that share all bits before {@code position}, and all nodes below it. */
    private int addNode(int first, int beyond, int position, int bits) {
        int node = used;
        used += 1 << bits;
        if (used > entries.length) {
            entries = Arrays.copyOf(entries, Math.max(used, entries.length + (entries.length >> 1)));
        }
        int from = first;
        for (int digit = 0; digit < 1 << bits; digit++) {
            int to = from;
            while (to < beyond && digit(high[to], low[to], position, bits) == digit) {
                to++;
            }
            int entry = to - from <= MAX ? from << COUNT_BITS | (to - from) : child(from, to, position + bits);
            entries[node + digit] = entry; // written after the child is added, because adding it may replace the array
            from = to;
        }
        return node;
    }

    private int child(int first, int beyond, int position) {
        int bits = bits(beyond - first, position, MAX_NODE_BITS);
        return ~(addNode(first, beyond, position, bits) << NODE_BITS | bits);
    }
}

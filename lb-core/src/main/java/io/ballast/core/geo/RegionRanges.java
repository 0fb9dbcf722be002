package io.ballast.core.geo;

import static io.ballast.core.net.RadixIndex.commonPrefixLength;

import io.ballast.core.net.RadixIndex;
import java.util.Arrays;

/**
 * The region of every address of one family, and the widest prefix around the address with the same region.
 *
 * <p>The prefix must exclude the last address before the range and the first address after it. So its length
 * follows from the number of leading bits that the address has in common with these two:
 *
 * <pre>
 *     … s-1 │ s …  address  … e │ e+1 …        length = 1 + max(common(address, s-1), common(address, e+1))
 * </pre>
 *
 * <p>Immutable. Addresses are left-aligned, see {@link RangeList}. Cost: one step for every 4 leading bits that many
 * ranges have in common, then a comparison with a few first addresses of ranges.
 */
final class RegionRanges {

    /** The number of result bits that hold the prefix length, which is at most 128. */
    static final int LENGTH_BITS = 8;

    private static final long[] NONE = {};

    private final long[] high;

    /**
     * The last 64 bits of the range starts; empty if all are 0, as for IPv4 and for IPv6 networks of at most 64
     * bits.
     */
    private final long[] low;

    private final short[] regions;
    private final int rootPosition;
    private final int rootBits;
    private final int[] index;

    /** Compiles ranges with region ids below 65,536. */
    RegionRanges(RangeList ranges) {
        high = ranges.highs();
        long[] lows = ranges.lows();
        low = Arrays.stream(lows).allMatch(word -> word == 0) ? NONE : lows;
        regions = new short[high.length];
        for (int i = 0; i < regions.length; i++) {
            regions[i] = (short) ranges.value(i);
        }
        // The first range is omitted: it starts at 0, so the first addresses of the ranges would have no leading bits
        // in common.
        RadixIndex radix = new RadixIndex(high, lows, Math.min(1, high.length - 1));
        rootPosition = radix.rootPosition();
        rootBits = radix.rootBits();
        index = radix.entries();
    }

    int size() {
        return regions.length;
    }

    /**
     * Returns the region of the address, shifted left by {@link #LENGTH_BITS}. The lower bits contain the length
     * of the widest prefix of the address that lies completely in this region.
     */
    int find(long addressHigh, long addressLow) {
        int range = rangeOf(addressHigh, addressLow);
        int length = 0;
        if (range > 0) {
            long startLow = low(range);
            long beforeHigh = startLow == 0 ? high[range] - 1 : high[range];
            length = 1 + commonPrefixLength(addressHigh, addressLow, beforeHigh, startLow - 1);
        }
        int next = range + 1;
        if (next < high.length) {
            length = Math.max(length, 1 + commonPrefixLength(addressHigh, addressLow, high[next], low(next)));
        }
        return (regions[range] & 0xFFFF) << LENGTH_BITS | length;
    }

    /** Returns the last range that starts at or before the address. */
    private int rangeOf(long addressHigh, long addressLow) {
        int last = high.length - 1;
        if (last == 0 || isBefore(addressHigh, addressLow, 1)) {
            return 0;
        }
        if (!isBefore(addressHigh, addressLow, last)) {
            return last;
        }
        // The address lies between range 1 and the last range, so it begins with the bits that all ranges share and the
        // root skips.
        int entry = RadixIndex.find(index, rootPosition, rootBits, addressHigh, addressLow);
        int range = RadixIndex.startsBefore(entry) - 1;
        int end = range + RadixIndex.startsInside(entry);
        while (range < end && !isBefore(addressHigh, addressLow, range + 1)) {
            range++;
        }
        return range;
    }

    private boolean isBefore(long addressHigh, long addressLow, int range) {
        return RangeList.compare(addressHigh, addressLow, high[range], low(range)) < 0;
    }

    private long low(int range) {
        return low.length == 0 ? 0 : low[range];
    }
}

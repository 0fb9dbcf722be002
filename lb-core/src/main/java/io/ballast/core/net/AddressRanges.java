package io.ballast.core.net;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Networks of one address family, sorted and disjoint.
 *
 * <p>Immutable. Addresses are left-aligned, see {@link RadixIndex}. Cost of a look-up: one step for every 4 to 16
 * leading bits that many networks have in common, then a comparison with at most {@value RadixIndex#MAX} first
 * addresses; allocates nothing. Memory: 9 bytes for a network, 8 more if any network of the set is longer than 64 bits,
 * and about 6 for the index.
 */
final class AddressRanges {

    private static final Comparator<Cidr> BY_START_LARGEST_FIRST = Comparator.comparing(
                    Cidr::network, (a, b) -> compare(a.high(), a.low(), b.high(), b.low()))
            .thenComparingInt(Cidr::length);

    private static final long[] NONE = {};

    /** With a million networks, most look-ups end at the root, so that they have fewer cache misses. */
    private static final int MAX_ROOT_BITS = 20;

    private static final int IPV4_BITS = IpAddress.IPV4_BITS;

    private final long[] high;

    /** The last 64 bits of the first addresses; empty if all are 0. */
    private final long[] low;

    /** The prefix lengths, 0 to 128; {@link #length} reads them as unsigned numbers. */
    private final byte[] lengths;

    private final int rootPosition;
    private final int rootBits;
    private final int[] index;

    private AddressRanges(long[] high, long[] low, byte[] lengths) {
        this.high = high;
        this.low = Arrays.stream(low).allMatch(word -> word == 0) ? NONE : low;
        this.lengths = lengths;
        if (high.length == 0) {
            rootPosition = 0;
            rootBits = 0;
            index = new int[0];
            return;
        }
        RadixIndex radix = new RadixIndex(high, low, /* first= */ 0, MAX_ROOT_BITS);
        rootPosition = radix.rootPosition();
        rootBits = radix.rootBits();
        index = radix.entries();
    }

    /** Returns the union of networks of one family, which may contain or repeat one another. */
    static AddressRanges of(List<Cidr> networks) {
        Cidr[] sorted = networks.toArray(Cidr[]::new);
        Arrays.sort(sorted, BY_START_LARGEST_FIRST);
        int size = 0;
        for (Cidr cidr : sorted) {
            // Two networks are disjoint or nested, so a network that starts inside another also ends inside it.
            if (size == 0 || !sorted[size - 1].contains(cidr.network())) {
                sorted[size++] = cidr;
            }
        }
        long[] high = new long[size];
        long[] low = new long[size];
        byte[] lengths = new byte[size];
        for (int i = 0; i < size; i++) {
            IpAddress start = sorted[i].network();
            high[i] = start.isIpv4() ? start.low() << IPV4_BITS : start.high();
            low[i] = start.isIpv4() ? 0 : start.low();
            lengths[i] = (byte) sorted[i].length();
        }
        return new AddressRanges(high, low, lengths);
    }

    boolean isEmpty() {
        return high.length == 0;
    }

    /** The number of disjoint networks. */
    int size() {
        return high.length;
    }

    /** Returns the memory of the arrays in bytes. */
    long retainedBytes() {
        return (long) Long.BYTES * (high.length + low.length) + lengths.length + (long) Integer.BYTES * index.length;
    }

    /** Returns whether a network contains the left-aligned address. */
    boolean contains(long addressHigh, long addressLow) {
        int last = high.length - 1;
        if (last < 0 || isBefore(addressHigh, addressLow, 0)) {
            return false;
        }
        int found = isBefore(addressHigh, addressLow, last) ? find(addressHigh, addressLow) : last;
        return isIn(addressHigh, addressLow, found);
    }

    /** Returns the last network that starts at or before an address between the first and the last start. */
    private int find(long addressHigh, long addressLow) {
        int entry = RadixIndex.find(index, rootPosition, rootBits, addressHigh, addressLow);
        int found = RadixIndex.startsBefore(entry) - 1;
        int end = found + RadixIndex.startsInside(entry);
        while (found < end && !isBefore(addressHigh, addressLow, found + 1)) {
            found++;
        }
        return found;
    }

    /** Reads the last 64 bits only if they decide, because each access may be a cache miss. */
    private boolean isIn(long addressHigh, long addressLow, int network) {
        long difference = addressHigh ^ high[network];
        int length = length(network);
        if (length <= Long.SIZE) {
            return length == 0 || difference >>> (Long.SIZE - length) == 0;
        }
        return difference == 0 && (addressLow ^ low(network)) >>> (2 * Long.SIZE - length) == 0;
    }

    private boolean isBefore(long addressHigh, long addressLow, int network) {
        long start = high[network];
        return addressHigh == start
                ? Long.compareUnsigned(addressLow, low(network)) < 0
                : Long.compareUnsigned(addressHigh, start) < 0;
    }

    private long low(int network) {
        return low.length == 0 ? 0 : low[network];
    }

    private int length(int network) {
        return lengths[network] & 0xFF;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRanges ranges
                && Arrays.equals(high, ranges.high)
                && Arrays.equals(low, ranges.low)
                && Arrays.equals(lengths, ranges.lengths);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(high) + Arrays.hashCode(lengths);
    }

    private static int compare(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) : Long.compareUnsigned(high, otherHigh);
    }
}

package io.ballast.core.net;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ranges of addresses of one family, sorted and disjoint. Both ends of a range are included. Immutable.
 */
final class AddressRanges {

    private static final Comparator<Cidr> BY_START_LARGEST_FIRST = Comparator.comparing(
                    Cidr::network, (a, b) -> compare(a.high(), a.low(), b.high(), b.low()))
            .thenComparingInt(Cidr::length);

    private final long[] startHigh;
    private final long[] startLow;
    private final long[] endHigh;
    private final long[] endLow;

    private AddressRanges(List<Cidr> disjoint) {
        startHigh = disjoint.stream().mapToLong(cidr -> cidr.network().high()).toArray();
        startLow = disjoint.stream().mapToLong(cidr -> cidr.network().low()).toArray();
        endHigh = disjoint.stream().mapToLong(cidr -> cidr.last().high()).toArray();
        endLow = disjoint.stream().mapToLong(cidr -> cidr.last().low()).toArray();
    }

    static AddressRanges of(List<Cidr> networks) {
        List<Cidr> disjoint = new ArrayList<>();
        IpAddress covered = null;
        for (Cidr cidr : networks.stream().sorted(BY_START_LARGEST_FIRST).toList()) {
            IpAddress start = cidr.network();
            // Two networks are disjoint or nested, so a network that starts inside another also ends inside it.
            if (covered == null || compare(start.high(), start.low(), covered.high(), covered.low()) > 0) {
                disjoint.add(cidr);
                covered = cidr.last();
            }
        }
        return new AddressRanges(disjoint);
    }

    boolean isEmpty() {
        return startLow.length == 0;
    }

    boolean contains(long high, long low) {
        int first = 0;
        int beyond = startLow.length;
        while (first < beyond) { // counts the ranges that start at or before the address
            int middle = (first + beyond) >>> 1;
            if (compare(startHigh[middle], startLow[middle], high, low) <= 0) {
                first = middle + 1;
            } else {
                beyond = middle;
            }
        }
        return first > 0 && compare(high, low, endHigh[first - 1], endLow[first - 1]) <= 0;
    }

    private static int compare(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) : Long.compareUnsigned(high, otherHigh);
    }
}

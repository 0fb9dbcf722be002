package io.ballast.dns.forward.filter;

import io.ballast.core.balance.Hash64;
import java.util.List;

/**
 * Networks of one address family and prefix length, each with its verdict, in an open-addressing hash table
 * that is at most half full. Immutable.
 */
final class PrefixTable {

    /** A network and its verdict. */
    record Entry(long high, long low, long verdict) {}

    private final boolean isIpv4;
    private final int bits;
    private final long highMask;
    private final long lowMask;
    private final long[] slots;

    /** @param bits the prefix length in an address of 128 bits */
    PrefixTable(boolean isIpv4, int bits, List<Entry> entries) {
        this.isIpv4 = isIpv4;
        this.bits = bits;
        this.highMask = mask(Math.min(bits, Long.SIZE));
        this.lowMask = mask(Math.max(0, bits - Long.SIZE));
        this.slots = new long[3 * Integer.highestOneBit(Math.max(1, entries.size())) * 4];
        for (Entry entry : entries) {
            insert(entry);
        }
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (Long.SIZE - bits);
    }

    boolean isIpv4() {
        return isIpv4;
    }

    int bits() {
        return bits;
    }

    private void insert(Entry entry) {
        int at = firstSlot(entry.high, entry.low);
        while (slots[at + 2] != FilterVerdict.NONE) {
            boolean isRepeated = slots[at] == entry.high
                    && slots[at + 1] == entry.low
                    && FilterVerdict.list(slots[at + 2]) == FilterVerdict.list(entry.verdict)
                    && FilterVerdict.rank(slots[at + 2]) == FilterVerdict.rank(entry.verdict);
            if (isRepeated) {
                return;
            }
            at = nextSlot(at);
        }
        slots[at] = entry.high;
        slots[at + 1] = entry.low;
        slots[at + 2] = entry.verdict;
    }

    private int firstSlot(long high, long low) {
        long hash = Hash64.mix(Hash64.mix(high) + low);
        return 3 * (int) (hash & (slots.length / 3 - 1));
    }

    private int nextSlot(int at) {
        return at + 3 == slots.length ? 0 : at + 3;
    }

    /**
     * Returns the verdict with the highest rank among {@code currentVerdict} and the rules for the network of an
     * address. If ranks are equal, {@code currentVerdict} is kept.
     */
    long evaluate(long addressHigh, long addressLow, long lists, long currentVerdict) {
        long high = addressHigh & highMask;
        long low = addressLow & lowMask;
        long best = currentVerdict;
        for (int at = firstSlot(high, low); slots[at + 2] != FilterVerdict.NONE; at = nextSlot(at)) {
            long verdict = slots[at + 2];
            if (slots[at] == high
                    && slots[at + 1] == low
                    && (lists >>> FilterVerdict.list(verdict) & 1) != 0
                    && FilterVerdict.rank(verdict) > FilterVerdict.rank(best)) {
                best = verdict;
            }
        }
        return best;
    }
}

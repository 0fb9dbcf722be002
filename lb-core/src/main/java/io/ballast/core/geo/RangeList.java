package io.ballast.core.geo;

import io.ballast.core.Checks;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * The values of all addresses of one family, as sorted ranges. Each range begins where the previous one ends,
 * and adjacent ranges have different values. The list is written from the first address to the last.
 *
 * <p>Addresses are left-aligned: they have 128 bits in two words. An IPv4 address occupies the first 32 bits,
 * and the other bits are 0. A prefix has the same length in this form.
 *
 * <p>Confined to one thread. Cost: O(1) for each call that writes, 20 bytes for a range.
 */
final class RangeList {

    /** The value of addresses to which no value has been assigned. */
    static final int NOTHING = 0;

    private long[] high = new long[16];
    private long[] low = new long[16];
    private int[] values = new int[16];
    private int size;

    /** Creates a list in which all addresses have the value {@link #NOTHING}. */
    RangeList() {
        setFrom(0, 0, NOTHING);
    }

    /**
     * Sets {@code value} for all addresses from this address up to the address of the next call. If several calls
     * have the same address, the last one takes effect.
     *
     * @throws IllegalArgumentException if the address is lower than the address of an earlier call
     */
    void setFrom(long startHigh, long startLow, int value) {
        if (size > 0) {
            int order = compare(high[size - 1], low[size - 1], startHigh, startLow);
            Checks.that(order <= 0, "network", Long.toHexString(startHigh), "networks in ascending order");
            if (order == 0) {
                size--;
            }
        }
        if (size == 0 || values[size - 1] != value) {
            append(startHigh, startLow, value);
        }
    }

    /** Sets the value for all addresses that are higher than the addresses of a prefix, if there are any. */
    void setAfter(long startHigh, long startLow, int length, int value) {
        if (length == 0) {
            return;
        }
        boolean inFirstWord = length <= 64;
        long nextLow = inFirstWord ? 0 : startLow + (1L << (128 - length));
        long nextHigh = inFirstWord ? startHigh + (1L << (64 - length)) : nextLow == 0 ? startHigh + 1 : startHigh;
        if (nextHigh != 0 || nextLow != 0) {
            setFrom(nextHigh, nextLow, value);
        }
    }

    /**
     * Returns a list in which the value of each address is {@code choose} applied to its values in both lists.
     */
    static RangeList overlay(RangeList one, RangeList other, IntBinaryOperator choose) {
        RangeList both = new RangeList();
        int i = 0;
        int j = 0;
        while (i < one.size && j < other.size) {
            boolean later = compare(one.high[i], one.low[i], other.high[j], other.low[j]) >= 0;
            int value = choose.applyAsInt(one.values[i], other.values[j]);
            both.setFrom(later ? one.high[i] : other.high[j], later ? one.low[i] : other.low[j], value);
            int next = compareStarts(one, i + 1, other, j + 1);
            i += next <= 0 ? 1 : 0;
            j += next >= 0 ? 1 : 0;
        }
        return both;
    }

    /** Returns a list in which every value is replaced by the result of {@code change}. */
    RangeList map(IntUnaryOperator change) {
        RangeList changed = new RangeList();
        for (int i = 0; i < size; i++) {
            changed.setFrom(high[i], low[i], change.applyAsInt(values[i]));
        }
        return changed;
    }

    int size() {
        return size;
    }

    /** The first 64 bits of the ranges' first addresses. */
    long[] highs() {
        return Arrays.copyOf(high, size);
    }

    /** The last 64 bits of the ranges' first addresses. */
    long[] lows() {
        return Arrays.copyOf(low, size);
    }

    int value(int range) {
        return values[range];
    }

    /** Compares addresses as unsigned numbers. */
    static int compare(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) : Long.compareUnsigned(high, otherHigh);
    }

    /** Compares the starts of two ranges; a missing range starts after all other ranges. */
    private static int compareStarts(RangeList one, int i, RangeList other, int j) {
        if (i == one.size || j == other.size) {
            return i == one.size ? j == other.size ? 0 : 1 : -1;
        }
        return compare(one.high[i], one.low[i], other.high[j], other.low[j]);
    }

    private void append(long startHigh, long startLow, int value) {
        if (size == values.length) {
            int capacity = size + (size >> 1);
            high = Arrays.copyOf(high, capacity);
            low = Arrays.copyOf(low, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        high[size] = startHigh;
        low[size] = startLow;
        values[size++] = value;
    }
}

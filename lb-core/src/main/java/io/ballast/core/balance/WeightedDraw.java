package io.ballast.core.balance;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Selects a member from random bits, with a probability in proportion to its weight.
 *
 * <p>Equal weights need no table. Other weights use Walker's alias method with the linear-time set-up by Vose
 * (<a href="https://doi.org/10.1109/32.92917">A Linear Algorithm for Generating Random Numbers with a Given
 * Distribution</a>, 1991). There are as many cells of equal size as members. Each cell holds the remaining
 * share of one member and, above a threshold, a part of another member, its alias. Probabilities are exact to
 * 2^-32.
 *
 * <p>Cost: a multiplication, and a memory load if weights differ. Immutable.
 */
public final class WeightedDraw {

    private static final long LOW = 0xFFFF_FFFFL;

    private final int size;

    /** For each cell, the threshold (upper half) and the alias (lower half); null if all weights are equal. */
    private final long @Nullable [] cells;

    private WeightedDraw(int size, long @Nullable [] cells) {
        this.size = size;
        this.cells = cells;
    }

    /**
     * Returns an object that selects random indexes of {@code weights}, each with a probability in proportion to
     * its weight. Each weight is at least 1.
     */
    public static WeightedDraw of(int[] weights) {
        boolean equal = Arrays.stream(weights).allMatch(weight -> weight == weights[0]);
        return new WeightedDraw(weights.length, equal ? null : cells(weights));
    }

    boolean isUniform() {
        return cells == null;
    }

    /** Returns the member that 32 random bits select. */
    public int member(int bits) {
        // The integer part of bits / 2^32 × size selects the cell; the fraction decides between the cell's two
        // members.
        long scaled = (bits & LOW) * size;
        int cell = (int) (scaled >>> 32);
        if (cells == null) {
            return cell;
        }
        long content = cells[cell];
        int alias = (int) content;
        // Avoids a branch, which could not be predicted: below the threshold, all bits of the mask are set.
        int mask = (int) (((scaled & LOW) - (content >>> 32)) >> 63);
        return alias ^ ((alias ^ cell) & mask);
    }

    /** Selects a member other than {@code first} with 32 random bits; all other members are equally probable. */
    int other(int first, int bits) {
        int member = (int) (((bits & LOW) * (size - 1)) >>> 32);
        return member + 1 + ((member - first) >> 31); // adds one if member >= first; otherwise the shift gives -1
    }

    private static long[] cells(int[] weights) {
        int size = weights.length;
        long total = Arrays.stream(weights).asLongStream().sum();
        // The weights are scaled by `size`, so that each cell holds exactly `total` and the arithmetic stays exact.
        long[] left =
                Arrays.stream(weights).mapToLong(weight -> (long) weight * size).toArray();
        // Indexes of the members. Members whose share is smaller than a cell are stored from the left of the array, all
        // other members from the right. Together they fill the array.
        int[] stack = new int[size];
        int small = 0;
        int large = size;
        for (int i = 0; i < size; i++) {
            if (left[i] < total) {
                stack[small++] = i;
            } else {
                stack[--large] = i;
            }
        }
        long[] cells = new long[size];
        while (small > 0) { // a small share implies a large one, because the shares add up to the size of all cells
            int poor = stack[--small];
            int rich = stack[large];
            cells[poor] = ((long) (left[poor] * 0x1p32 / total) << 32) | rich;
            left[rich] -= total - left[poor];
            if (left[rich] < total) {
                large++;
                stack[small++] = rich;
            }
        }
        // The shares of the remaining members fill their cells exactly. Each of these members is its own alias, so
        // the threshold does not matter.
        while (large < size) {
            int full = stack[large++];
            cells[full] = full;
        }
        return cells;
    }
}

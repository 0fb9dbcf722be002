package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import org.jspecify.annotations.Nullable;

/**
 * Draws two different members by weight and takes the better one (Mitzenmacher, <a
 * href="https://doi.org/10.1109/71.963420">The Power of Two Choices in Randomized Load Balancing</a>, 2001).
 * The subclass compares them; if they are equal, the first one drawn wins, so that idle members are used by
 * weight.
 *
 * <p>Fallbacks, in this order:
 *
 * <ol>
 *   <li>If the second draw by weight hits the first member again, any other member is drawn with equal
 *       probability. Comparing two members matters more than drawing the second one exactly by weight.
 *   <li>If the better of the two is excluded or full, the other one is taken.
 *   <li>If both are excluded or full, two other members are drawn, {@value #ATTEMPTS} times in all.
 *   <li>Then the members are tried one after the other, starting at the last one drawn, so that an open
 *       member is found if there is one.
 * </ol>
 */
abstract class TwoChoices implements Picker {

    static final int ATTEMPTS = 5;

    /** An odd multiplier that derives new random bits when the same member was drawn twice. */
    private static final int SPREAD = 0x9E3779B9;

    final Candidates candidates;
    private final WeightedDraw draw;

    TwoChoices(Candidates candidates) {
        this.candidates = candidates;
        this.draw = candidates.draw();
    }

    /** Compares two members; the result is negative if {@code second} is better. */
    abstract long compare(int second, int first, PickContext context);

    @Override
    public final @Nullable Backend pick(PickContext context) {
        int first = 0;
        for (int i = 0; i < ATTEMPTS; i++) {
            long bits = context.nextRandom();
            first = draw.member((int) (bits >>> 32));
            int second = second(first, (int) bits);
            // The outcome is like a coin toss, so a branch would be mispredicted half the time. A pick would take 14 ns
            // instead of 9 ns (PickBenchmark). All bits of the mask are set if the second member is better.
            int mask = (int) (compare(second, first, context) >> 63);
            int better = first ^ ((first ^ second) & mask);
            if (candidates.isOpen(better, context)) {
                return candidates.at(better);
            }
            int other = first ^ second ^ better;
            if (candidates.isOpen(other, context)) {
                return candidates.at(other);
            }
        }
        return candidates.openFrom(first, context);
    }

    /**
     * Returns a member other than {@code first}. It is drawn by weight; if this draw returns {@code first}, all
     * other members are equally probable.
     */
    private int second(int first, int bits) {
        if (draw.isUniform()) {
            return draw.other(first, bits);
        }
        int second = draw.member(bits);
        int other = draw.other(first, bits * SPREAD);
        int sameMask = ((second ^ first) - 1) >> 31; // all bits are set if second equals first
        return second ^ ((second ^ other) & sameMask);
    }
}

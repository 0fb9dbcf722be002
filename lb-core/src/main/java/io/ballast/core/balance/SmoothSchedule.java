package io.ballast.core.balance;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * A cycle in which each member has as many turns as its weight, spread as evenly as whole turns allow. After
 * any number of turns, each member's number of turns differs from its exact share by less than one.
 *
 * <p>This is single-processor P-fair scheduling (Baruah, Cohen, Plaxton and Varvel, <a
 * href="https://doi.org/10.1007/BF01940883">Proportionate Progress</a>, Algorithmica 1996; the same sequence
 * problem is Tijdeman's chairman assignment, 1980). With W the sum of the weights, copy {@code i} of a member
 * of weight {@code w} is released at turn {@code floor(i W / w)} and due by turn {@code (i + 1) W / w}; each
 * turn goes to the released copy that is due first. Weights 5, 2, 2, 1 give
 *
 * <pre>
 *   turn   0 1 2 3 4 5 6 7 8 9
 *          a b a c a b a c a d
 * </pre>
 *
 * Deadlines alone, without releases, would cause bunching: with one weight of 10 and ten weights of 1, the
 * ten members are all due at the same time.
 */
final class SmoothSchedule {

    private SmoothSchedule() {}

    /**
     * Returns the length of a cycle for {@code weights} after dividing them by their greatest common divisor.
     */
    static long length(int[] weights) {
        return Arrays.stream(weights).asLongStream().sum() / greatestCommonDivisor(weights);
    }

    /**
     * Returns the index of the member that each turn of the schedule selects. Cost: {@code O(length log
     * members)}.
     *
     * @param weights each at least 1; their {@link #length} fits in an array
     */
    static int[] of(int[] weights) {
        int divisor = greatestCommonDivisor(weights);
        int[] turns = new int[(int) length(weights)];
        // For each turn, a linked list of the members whose next copy becomes eligible at that turn. firstAt[turn] is
        // the first member of the list, and after[member] is the member that follows.
        int[] firstAt = new int[turns.length];
        int[] after = new int[weights.length];
        int[] copies = new int[weights.length];
        Arrays.fill(firstAt, -1);
        for (int member = weights.length - 1; member >= 0; member--) {
            after[member] = firstAt[0];
            firstAt[0] = member;
        }
        // The copies that are eligible in the current turn, ordered by deadline and then by member index. Each entry
        // packs the deadline and the member index into one number.
        PriorityQueue<Long> released = new PriorityQueue<>();
        for (int turn = 0; turn < turns.length; turn++) {
            for (int member = firstAt[turn]; member >= 0; member = after[member]) {
                released.add(deadline(copies[member], weights[member] / divisor) | member);
            }
            // The queue is never empty, because the members' exact shares add up to one selection for each turn.
            int member = (int) (long) released.remove();
            turns[turn] = member;
            copies[member]++;
            long release = (long) copies[member] * turns.length / (weights[member] / divisor);
            if (release < turns.length) {
                int at = Math.max(turn + 1, (int) release);
                after[member] = firstAt[at];
                firstAt[at] = member;
            }
        }
        return turns;
    }

    /**
     * The deadline of the given copy of a member, as a 30-bit fraction of the cycle. The result is in the upper
     * 32 bits of the {@code long}.
     */
    private static long deadline(int copy, int weight) {
        return (((copy + 1L) << 30) / weight) << 32;
    }

    private static int greatestCommonDivisor(int[] weights) {
        int divisor = 0;
        for (int weight : weights) {
            int a = divisor;
            int b = weight;
            while (b != 0) {
                int rest = a % b;
                a = b;
                b = rest;
            }
            divisor = a;
        }
        return divisor;
    }
}

package io.ballast.core.balance;

import java.util.Arrays;
import java.util.List;

/**
 * Divides the hash space into equal slots and assigns each slot to a member. If a member is removed, only the
 * slots of this member are distributed to the other members, by weight. When it is added again, it gets
 * exactly these slots back.
 *
 * <p>The owners are the same as with weighted rendezvous hashing (Thaler and Ravishankar,
 * <a href="https://doi.org/10.1109/90.663936">Using Name-Based Mappings to Increase Hit Rates</a>, 1998). They are
 * found by a race rather than by computing the score of every member for every slot. Each member throws darts at the
 * table, at a rate of its weight per unit of time. The slot that a dart hits depends only on the member's address and
 * the dart's number. A slot belongs to the member whose dart hits it first.
 *
 * <pre>
 *   time           0    .    1    .    2    .
 *   a, weight 2      5    2    7    0    2    6     owns 5 2 7 0 6
 *   b, weight 1        4         7         1        owns 4 1; a hit slot 7 first
 * </pre>
 *
 * The time until a member first hits a slot is almost exponentially distributed, with the member's weight as its rate.
 * Among several such times, each is the smallest with a probability in proportion to its rate, so the shares follow the
 * weights. One member's darts do not depend on other members, so the disruption is minimal. All slots are hit after
 * about {@code S ln S} darts (the coupon collector's problem), for any number of members; this determines the cost.
 *
 * <p>With n members of equal weight and S slots, the relative standard deviation of a share is
 * {@code sqrt(n / S)}.
 */
final class RendezvousTable {

    private RendezvousTable() {}

    /**
     * Returns the index of the owner of each slot.
     *
     * @param members at least one
     * @param bits the number of slots is 2^bits
     */
    static int[] owners(List<Member> members, int bits) {
        int slots = 1 << bits;
        int[] owners = new int[slots];
        double[] hitAt = new double[slots];
        Arrays.fill(hitAt, Double.POSITIVE_INFINITY);
        MemberDarts[] allDarts = members.stream().map(MemberDarts::new).toArray(MemberDarts[]::new);
        double rate = members.stream().mapToLong(Member::weight).sum();
        // At this time, the expected number of slots without an owner is about one. The members continue to claim
        // slots until every slot has an owner.
        double until = slots * Math.log(slots) / rate;
        int open = slots;
        while (open > 0) {
            for (int i = 0; i < allDarts.length; i++) {
                open -= allDarts[i].throwUntil(until, i, owners, hitAt);
            }
            until += slots / rate;
        }
        return owners;
    }

    /** The sequence of darts that one member throws at the table; the class comment describes the method. */
    private static final class MemberDarts {

        private final long seed;
        private final double phase;
        private final int weight;
        private long thrown;

        MemberDarts(Member member) {
            this.seed = Hash64.of(member.backend().address().toString());
            // The time of the member's first throw, as a fraction of the interval between two of its throws. It
            // differs between members, so members of equal weight never throw at the same time.
            this.phase = (Hash64.mix(seed) >>> 11) * 0x1p-53;
            this.weight = member.weight();
        }

        /**
         * Throws all of this member's darts (random choices of a slot) that are due before {@code until}; each dart
         * hits one slot of the table. Returns the number of slots that no dart had hit before.
         */
        int throwUntil(double until, int self, int[] owners, double[] hitAt) {
            int slotBits = 31 - Integer.numberOfLeadingZeros(owners.length);
            int firstHits = 0;
            for (double time = next(); time < until; time = next()) {
                thrown++;
                int slot = (int) (Hash64.mix(seed + thrown * Hash64.GOLDEN_STEP) >>> (64 - slotBits));
                double best = hitAt[slot];
                if (time < best) {
                    firstHits += best == Double.POSITIVE_INFINITY ? 1 : 0;
                    hitAt[slot] = time;
                    owners[slot] = self;
                }
            }
            return firstHits;
        }

        private double next() {
            return (thrown + phase) / weight;
        }
    }
}

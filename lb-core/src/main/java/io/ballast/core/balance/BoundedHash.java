package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendLoads;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A consistent hash that skips members with too many exchanges in flight (Mirrokni, Thorup and
 * Zadimoghaddam, <a href="https://doi.org/10.1137/1.9781611975031.39">Consistent Hashing with Bounded
 * Loads</a>, 2018), so that a very frequent key is served by as many members as necessary.
 *
 * <p>A member of weight w accepts a request while it has less than {@code maxLoad × w / W × (n + 1)} exchanges in
 * flight. Here n is the number in flight in the pool and W the sum of the weights. With a bound above 1, at least one
 * member has capacity. The picker first tries {@value #PROBES} slots that depend on the key. Then it tries the same
 * number of random slots, because a single key that causes all of the load may need all members. If no tried member has
 * capacity, the picker takes the tried member with the fewest exchanges in flight per weight. With a bound of 1.25, at
 * most four fifths of the members can be at their bound. Even in that case, the picker finds no member with capacity
 * for less than three requests in a hundred.
 *
 * <p>With up to {@value #EXACT} members, each pick adds up their loads. With more members, a random share
 * of the picks updates the sum, so that a pick reads {@value #EXACT} loads on average, independent of the
 * number of members.
 */
final class BoundedHash implements Picker {

    static final int EXACT = 64;

    private static final int PROBES = 16;
    private static final int DRAW_BITS = 24;

    private final Candidates candidates;
    private final BackendLoads loads;
    private final int[] owners;
    private final int shift;

    /** For each member, the maximum share of all in-flight exchanges. */
    private final double[] maxShare;

    private volatile long sum;

    /** @param shift the number of bits to shift a hash right to get the number of a slot */
    BoundedHash(Candidates candidates, int[] owners, int shift, double maxLoad) {
        this.candidates = candidates;
        this.loads = candidates.loads();
        this.owners = owners;
        this.shift = shift;
        double weights = IntStream.range(0, candidates.size())
                .mapToLong(candidates::weight)
                .sum();
        this.maxShare = IntStream.range(0, candidates.size())
                .mapToDouble(member -> maxLoad * candidates.weight(member) / weights)
                .toArray();
        this.sum = loads.sum();
    }

    @Override
    public @Nullable Backend pick(PickContext context) {
        long after = inFlight(context) + 1;
        long hash = Hash64.mix(context.affinity());
        int member = 0;
        int min = -1;
        for (int i = 0; i < 2 * PROBES; i++) {
            member = owners[(int) (hash >>> shift)];
            if (candidates.isOpen(member, context)) {
                if (loads.inFlight(member) < maxShare[member] * after) {
                    return candidates.at(member);
                }
                if (min < 0 || candidates.compareLoad(member, min, context.nowNanos()) < 0) {
                    min = member;
                }
            }
            hash = i < PROBES - 1 ? Hash64.mix(hash + Hash64.GOLDEN_STEP) : context.nextRandom();
        }
        return min < 0 ? candidates.openFrom(member, context) : candidates.at(min);
    }

    /** Returns the number of exchanges in flight on all members; may be slightly outdated. */
    private long inFlight(PickContext context) {
        if (candidates.size() <= EXACT) {
            return loads.sum();
        }
        long draw = (context.nextRandom() >>> (64 - DRAW_BITS)) * candidates.size();
        if (draw < (long) EXACT << DRAW_BITS) {
            sum = loads.sum();
        }
        return sum;
    }
}

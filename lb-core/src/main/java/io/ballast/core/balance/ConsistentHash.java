package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with equal {@linkplain PickContext#affinity affinities} to the same member; a member's
 * share of affinities is proportional to its weight. The affinity is the hash of a client address or of a
 * value in the request. The disruption is minimal: if a member is removed, only its own clients move, and
 * they return when the member is added again ({@link RendezvousTable}).
 *
 * <p>With a bound on the load, {@link BoundedHash} skips members that have too many exchanges in flight.
 *
 * <p>The assignment of clients depends only on the addresses and weights of the members, not on their order. So all
 * nodes with the same configuration assign clients in the same way. The table has 2^{@value #MIN_BITS} slots up to
 * 2,048 members. For more members, it has 32 or more slots per member, up to 2^{@value #MAX_BITS} slots. It is sized
 * for the largest number of members so far, so that its size does not change when members are removed.
 *
 * <p>If the member for a request is excluded or full, the owners of {@value #PROBES} other slots are
 * tried. The sequence of these slots is always the same for a client. Finally, all members are tried one
 * after the other.
 *
 * <p>Cost: one hash and one table look-up; 256 KiB to 4 MiB for the table. Compiling takes about 5 ms up
 * to 2,048 members, 70 ms for 10,000 (CompileBenchmark).
 */
final class ConsistentHash implements Strategy {

    static final int MIN_BITS = 16;
    static final int MAX_BITS = 20;
    static final int PROBES = 8;

    private static final int SLOTS_PER_MEMBER = 32;

    private final StrategyKind kind;
    private final Optional<Double> maxLoad;
    private int maxMembers;

    /** @param maxLoad limit of a member's load relative to its fair share; absent for no limit */
    ConsistentHash(StrategyKind kind, Optional<Double> maxLoad) {
        this.kind = kind;
        this.maxLoad = maxLoad;
    }

    @Override
    public StrategyKind kind() {
        return kind;
    }

    @Override
    public Picker compile(List<Member> members) {
        maxMembers = Math.max(maxMembers, members.size());
        if (members.size() <= 1) {
            return SingleMember.orNone(members);
        }
        Candidates candidates = new Candidates(members);
        int bits = bits(maxMembers);
        int[] owners = RendezvousTable.owners(members, bits);
        if (maxLoad.isPresent()) {
            return new BoundedHash(candidates, owners, 64 - bits, maxLoad.get());
        }
        return context -> pick(candidates, owners, 64 - bits, context);
    }

    private static @Nullable Backend pick(Candidates candidates, int[] owners, int shift, PickContext context) {
        long hash = Hash64.mix(context.affinity());
        int member = owners[(int) (hash >>> shift)];
        for (int i = 0; i < PROBES && !candidates.isOpen(member, context); i++) {
            hash = Hash64.mix(hash + Hash64.GOLDEN_STEP);
            member = owners[(int) (hash >>> shift)];
        }
        return candidates.openFrom(member, context);
    }

    /** Returns the binary logarithm of the table's size for this number of members. */
    static int bits(int members) {
        int needed = 32 - Integer.numberOfLeadingZeros(members * SLOTS_PER_MEMBER - 1);
        return Math.min(Math.max(needed, MIN_BITS), MAX_BITS);
    }
}

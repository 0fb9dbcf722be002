package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cycles through the members in proportion to their weights and spreads the turns of each member evenly
 * ({@link SmoothSchedule}). All event loops share one position, so shares are exact over a cycle.
 *
 * <p>The cycle is a table of at most {@value #MAX_TURNS} turns. Some weights need a longer cycle: 10,000
 * members of weights 1 to 1000 would need five million turns. For such weights, turns follow a
 * low-discrepancy sequence, the multiples of the golden ratio modulo 1 (Knuth, TAOCP 6.4, theorem S), mapped
 * to members by weight. With this sequence, a member's share after N turns is off by {@code O(log N)} turns
 * rather than by less than one, and memory stays linear in the number of members.
 *
 * <p>A member that is excluded or full loses its turn as in {@link RoundRobin}.
 *
 * <p>Cost: one atomic add, one remainder, one table look-up.
 */
final class WeightedRoundRobin implements Strategy {

    static final int MAX_TURNS = 1 << 16;

    private final CyclePosition position = new CyclePosition();

    @Override
    public StrategyKind kind() {
        return StrategyKind.WEIGHTED_ROUND_ROBIN;
    }

    @Override
    public Picker compile(List<Member> members) {
        if (members.size() <= 1) {
            return SingleMember.orNone(members);
        }
        return picker(
                new Candidates(members),
                members.stream().mapToInt(Member::weight).toArray(),
                position);
    }

    /**
     * Returns a picker that cycles through the candidates in proportion to {@code weights}, from {@code position}
     * on.
     */
    static Picker picker(Candidates candidates, int[] weights, CyclePosition position) {
        if (SmoothSchedule.length(weights) > MAX_TURNS) {
            WeightedDraw draw = WeightedDraw.of(weights);
            return context -> pickBySequence(candidates, draw, position, context);
        }
        int[] turns = SmoothSchedule.of(weights);
        return context -> pickByTable(candidates, turns, position, context);
    }

    private static @Nullable Backend pickByTable(
            Candidates candidates, int[] turns, CyclePosition position, PickContext context) {
        int member = 0;
        for (int i = 0; i < RoundRobin.TURNS; i++) {
            member = turns[position.next(turns.length)];
            if (candidates.isOpen(member, context)) {
                return candidates.at(member);
            }
        }
        return candidates.openFrom(member, context);
    }

    private static @Nullable Backend pickBySequence(
            Candidates candidates, WeightedDraw draw, CyclePosition position, PickContext context) {
        int member = 0;
        for (int i = 0; i < RoundRobin.TURNS; i++) {
            long fraction = position.next() * Hash64.GOLDEN_STEP;
            member = draw.member((int) (fraction >>> 32));
            if (candidates.isOpen(member, context)) {
                return candidates.at(member);
            }
        }
        return candidates.openFrom(member, context);
    }
}

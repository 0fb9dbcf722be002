package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cycles through the members in the order of the configuration, without regard to weight.
 *
 * <p>All event loops share one position in the cycle, so the members' shares are exact over a cycle. When the members
 * change, the cycle continues at the same position. If a member is excluded or full when its turn comes, it loses this
 * turn, and the request goes to the next member in the cycle. So the other members keep equal shares. During slow start
 * or with a high reported load, a member has fewer turns than the other members. After {@value #TURNS} lost turns, the
 * members are tried one after the other.
 *
 * <p>Cost: one atomic add and one remainder.
 */
final class RoundRobin implements Strategy {

    static final int TURNS = 8;

    private final CyclePosition position = new CyclePosition();

    @Override
    public StrategyKind kind() {
        return StrategyKind.ROUND_ROBIN;
    }

    @Override
    public Picker compile(List<Member> members) {
        if (members.size() <= 1) {
            return SingleMember.orNone(members);
        }
        Candidates candidates = new Candidates(members);
        int[] tenths = members.stream()
                .mapToInt(member -> member.backend().weightTenths())
                .toArray();
        if (Arrays.stream(tenths).distinct().count() > 1) {
            return WeightedRoundRobin.picker(candidates, tenths, position);
        }
        return context -> pick(candidates, context);
    }

    private @Nullable Backend pick(Candidates candidates, PickContext context) {
        int turn = 0;
        for (int i = 0; i < TURNS; i++) {
            turn = position.next(candidates.size());
            if (candidates.isOpen(turn, context)) {
                return candidates.at(turn);
            }
        }
        return candidates.openFrom(turn, context);
    }
}

package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the member with the fewest exchanges in flight per weight. A failed exchange is counted as in
 * flight for some time after it ended, so that a member that fails fast does not attract requests.
 *
 * <p>With up to {@value #EXACT} members, all members are compared, so the result is exact. If members are
 * tied, the first one after the previously chosen member is taken, so that they take turns. If idle members
 * have different weights, one is drawn by weight. With more than {@value #EXACT} members, two are drawn and
 * compared, as in {@link PowerOfTwo}, which is nearly as good with so many members.
 *
 * <p>Cost: about 1 ns per member for up to {@value #EXACT} members; for more members, the cost of
 * {@link PowerOfTwo}. If the best member is full or excluded, a second pass takes some nanoseconds per
 * member.
 */
final class LeastConnection implements Strategy {

    static final int EXACT = 256;

    /** The index of the member at which the next comparison starts: the member after the last selected one. */
    private final CyclePosition next = new CyclePosition();

    @Override
    public StrategyKind kind() {
        return StrategyKind.LEAST_CONNECTION;
    }

    @Override
    public Picker compile(List<Member> members) {
        if (members.size() <= 1) {
            return SingleMember.orNone(members);
        }
        Candidates candidates = new Candidates(members);
        if (members.size() > EXACT) {
            return new PowerOfTwo.FewerInFlight(candidates);
        }
        WeightedDraw draw = candidates.draw();
        return context -> pick(candidates, draw, context);
    }

    private @Nullable Backend pick(Candidates candidates, WeightedDraw draw, PickContext context) {
        long now = context.nowNanos();
        int start = next.current();
        int best = best(candidates, start < candidates.size() ? start : 0, context, now);
        if (best < 0) {
            return null;
        }
        if (!draw.isUniform() && candidates.loads().load(best, now) == 0) {
            int drawn = draw.member((int) (context.nextRandom() >>> 32));
            if (candidates.loads().load(drawn, now) == 0 && candidates.isOpen(drawn, context)) {
                best = drawn;
            }
        }
        next.moveTo(best + 1);
        return candidates.at(best);
    }

    /**
     * Returns the first open member with the fewest exchanges in flight per weight, from {@code start}, wrapping
     * around; -1 if no member is open.
     */
    private static int best(Candidates candidates, int start, PickContext context, long now) {
        int best = candidates.leastLoaded(start, now);
        return candidates.isOpen(best, context) ? best : bestOpen(candidates, start, context, now);
    }

    /** Like {@link #best}, but considers only members that are neither full nor excluded for the request. */
    private static int bestOpen(Candidates candidates, int start, PickContext context, long now) {
        int best = -1;
        int member = start;
        for (int left = candidates.size(); left > 0; left--) {
            if ((best < 0 || candidates.compareLoad(member, best, now) < 0) && candidates.isOpen(member, context)) {
                best = member;
            }
            member = member + 1 < candidates.size() ? member + 1 : 0;
        }
        return best;
    }
}

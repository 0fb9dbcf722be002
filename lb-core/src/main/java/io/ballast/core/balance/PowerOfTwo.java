package io.ballast.core.balance;

import io.ballast.core.config.StrategyKind;
import java.util.List;

/**
 * Draws two members by weight and takes the one with fewer exchanges in flight per weight ({@link TwoChoices}); one that failed
 * counts for a while longer, so that failing fast attracts nothing.
 *
 * <p>Nearly as even as {@link LeastConnection}, at the same small cost for any number of members and without the herd
 * that forms when every event loop sees the same least loaded one.
 *
 * <p>Cost: one random number, two table look-ups, two loads of shared counts.
 */
final class PowerOfTwo implements Strategy {

    @Override
    public StrategyKind kind() {
        return StrategyKind.POWER_OF_TWO;
    }

    @Override
    public Picker compile(List<Member> members) {
        return members.size() <= 1 ? SingleMember.orNone(members) : new FewerInFlight(new Candidates(members));
    }

    /** Picks the member with fewer in-flight exchanges per weight. */
    static final class FewerInFlight extends TwoChoices {

        FewerInFlight(Candidates candidates) {
            super(candidates);
        }

        @Override
        long compare(int second, int first, PickContext context) {
            return candidates.compareLoad(second, first, context.nowNanos());
        }
    }
}

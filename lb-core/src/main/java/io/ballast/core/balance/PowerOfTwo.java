package io.ballast.core.balance;

import io.ballast.core.config.StrategyKind;
import java.util.List;

/**
 * Draws two members by weight and takes the one with fewer exchanges in flight per weight ({@link
 * TwoChoices}). A failed exchange is counted as in flight for some time after it ended, so that a member
 * that fails fast does not attract requests.
 *
 * <p>The distribution is nearly as even as with {@link LeastConnection}, at the same small cost for any
 * number of members. This strategy also avoids the herd effect in which all event loops pick the same least
 * loaded member.
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
